// What the program was called by: lines that a reader is to type again begin with it.
//
// Set before threads start; from then on thread-safe. Errors: none.
#pragma once

#include <string>

namespace hogwild {

/// As a shell reads it: "build/release/hogwild", "'my tools/hogwild'". Of the library, and till it is set: "hogwild".
const std::string& called();
void set_called(std::string name);

/// The text whose indented lines that begin with `hogwild` begin with what the program was called by.
std::string as_called(const std::string& text);

} // namespace hogwild
