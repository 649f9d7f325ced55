// Standard input, output and error are there before any file is opened.
//
// A file that is opened while one of them is closed takes its number, and would get every line that is meant for people.
#pragma once

namespace hogwild {

/// Puts /dev/null in the place of each that is closed. To be called first.
void open_standard_streams();

} // namespace hogwild
