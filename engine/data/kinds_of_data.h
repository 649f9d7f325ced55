// What samples a generated set or a file seems to hold, by its name or its first lines: for messages where others were asked for.
//
// Kinds are kSamples of views. Several where lines may be of either: "1 2 3" is a rating and an edge. None where nothing is clear.
// Thread-safe. Errors: none; what cannot be read seems to hold nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

std::vector<std::string_view> kinds_of_data(const std::string& name);

/// Those that every one of its first lines is of. `text` may end within a line.
std::vector<std::string_view> kinds_of_text(std::string_view text);

/// "a.svm looks like LIBSVM text", "synthetic:netflix holds ratings".
std::string seems(const std::string& name, const std::vector<std::string_view>& kinds);

/// "--problem hinge, logistic or squared": those whose samples are of these kinds.
std::string problems_of_kinds(const std::vector<std::string_view>& kinds);

} // namespace hogwild
