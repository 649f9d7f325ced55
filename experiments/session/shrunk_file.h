// A file that another program cuts while it is mapped ends this process with a message and exit code 74, not with a signal.
//
// The address of the page that is gone says which file it was (engine/data/files/mapped_ranges.h). Other faults of the bus end the
// process as they did. Thread-safety: to be called once, before there are threads.
#pragma once

namespace hogwild {

void tell_of_shrunk_files();

} // namespace hogwild
