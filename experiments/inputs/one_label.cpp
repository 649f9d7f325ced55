#include "experiments/inputs/one_label.h"

#include "engine/numbers.h"

#include <fmt/format.h>

#include <algorithm>

namespace hogwild {
namespace {

bool alike(const auto& view) {
    if constexpr (requires { view.labels[0]; }) {
        const auto differs = [&](auto label) { return label != view.labels[0]; };
        return view.rows > 1 && std::none_of(view.labels, view.labels + view.rows, differs);
    } else {
        return false;
    }
}

} // namespace

bool has_one_label(const AnyView& samples) {
    return samples.visit([](const auto& view) { return alike(view); });
}

std::string one_label_line(const AnyView& samples) {
    if (!has_one_label(samples)) return "";
    return fmt::format("warning: all {} samples have one label (a model has nothing to tell apart, so its loss says "
                       "nothing); check the "
                       "file of labels",
                       grouped(samples.rows()));
}

} // namespace hogwild
