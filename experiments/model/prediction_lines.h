// A file of predictions: a line for each sample, in the order of the data.
//
// It is written where it lies, as NamedFile does (engine/data/files/named_file.h). Errors: Error (Failure::kDisk).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace hogwild {

/// `line`: what is said of sample i, without its newline.
void write_prediction_lines(const std::string& file, std::uint64_t samples,
                            const std::function<std::string(std::uint64_t)>& line);

} // namespace hogwild
