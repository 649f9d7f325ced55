// How much memory reading a LIBSVM file takes, measured in a process of its own.
//
// The program starts itself again with kParseMemoryOption FILE. That process maps and touches the file, and parses it
// once. It prints the peak of its resident memory beyond the file map (VmHWM of proc(5)) and the bytes of the arrays.
#pragma once

#include <string>

namespace hogwild {

inline constexpr const char* kParseMemoryOption = "--parse-memory";

struct ParseMemory {
    double peak_bytes = 0;
    double array_bytes = 0;
};

/// Starts the process and takes what it says. Throws Error when it fails.
ParseMemory measure_parse_memory(const std::string& path);

/// What that process does. Returns the exit code.
int print_parse_memory(const std::string& path);

} // namespace hogwild
