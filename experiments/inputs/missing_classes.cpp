#include "experiments/inputs/missing_classes.h"

#include "engine/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <type_traits>

namespace hogwild {
namespace {

std::string line_of(const ImagesView& view) {
    std::bitset<ImagesView::kMostClasses> occurs;
    for (std::uint64_t i = 0; i < view.rows; ++i) occurs.set(view.labels[i]);
    const std::size_t missing = view.classes - occurs.count();
    if (missing == 0 || occurs.count() == 1) return "";
    std::uint32_t first = 0, last = view.classes - 1;
    while (occurs[first]) ++first;
    while (occurs[last]) --last;
    const std::string which = first == last ? std::to_string(first) : fmt::format("from {} to {}", first, last);
    return fmt::format("warning: {} of {} classes have no image, {} (the largest label is {}, and a network has an "
                       "output for each up to it); check the file of labels",
                       missing, view.classes, which, view.classes - 1);
}

} // namespace

std::string missing_classes_line(const AnyView& samples) {
    return samples.visit([](const auto& view) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(view)>, ImagesView>) return line_of(view);
        return std::string();
    });
}

} // namespace hogwild
