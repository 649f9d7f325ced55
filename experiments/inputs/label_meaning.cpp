#include "experiments/inputs/label_meaning.h"

#include "engine/data/sparse/labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace hogwild {
namespace {

constexpr std::size_t kShown = 10;

/// The first of the classes that are not positive.
std::string others_of(const std::vector<double>& classes, double positive) {
    std::vector<std::string> others;
    for (const double value : classes) {
        if (value != positive) others.push_back(label_text(value));
    }
    const bool all = others.size() <= kShown;
    if (!all) others.resize(kShown);
    return fmt::format("{}{}", fmt::join(others, ", "), all ? "" : ", ...");
}

} // namespace

std::string label_meaning_line(const std::string& whose, const LoadReport& report) {
    const std::vector<double>& classes = report.classes;
    if (!report.positive_class || classes.empty()) return "";
    const double positive = *report.positive_class;
    const auto became = [&](double value) { return value == positive ? 1.0 : -1.0; };
    if (std::ranges::all_of(classes, [&](double value) { return value == became(value); })) return "";
    const auto sign = [&](double value) { return value == positive ? "+1" : "-1"; };
    const std::string first = label_text(classes[0]), last = label_text(classes.back());
    if (classes.size() == 1) return fmt::format("{}: {} is {}", whose, first, sign(classes[0]));
    if (classes.size() == 2) {
        return fmt::format("{}: {} and {} are {} and {}", whose, first, last, sign(classes[0]), sign(classes[1]));
    }
    return fmt::format("{}: {} is +1, every other ({}) -1", whose, label_text(positive), others_of(classes, positive));
}

} // namespace hogwild
