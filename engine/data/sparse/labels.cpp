#include "engine/data/sparse/labels.h"

#include "engine/data/text/decimal.h"
#include "engine/error.h"
#include "engine/machine/parallel.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kGrain = 1 << 16;

void insert(std::vector<double>& sorted, double value) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), value);
    if (place == sorted.end() || *place != value) sorted.insert(place, value);
}

/// Whether some float is the nearest one, but for 0 of what is not 0.
bool is_label(double chosen) {
    return std::abs(chosen) <= std::numeric_limits<float>::max() && (chosen == 0 || static_cast<float>(chosen) != 0);
}

std::string list(const std::vector<double>& classes) {
    constexpr std::size_t kShown = 10;
    std::string text;
    for (std::size_t i = 0; i < std::min(classes.size(), kShown); ++i)
        text += (i == 0 ? "" : ", ") + label_text(classes[i]);
    return text + (classes.size() > kShown ? ", ... " + label_text(classes.back()) : "");
}

} // namespace

std::vector<double> distinct_labels(std::span<const float> labels) {
    const auto parts =
        parallel_map<std::vector<double>>(labels.size(), kGrain, [&](std::uint64_t begin, std::uint64_t end) {
            std::vector<double> found;
            for (std::uint64_t i = begin; i < end && found.size() <= kMostClasses; ++i) {
                if (i > begin && labels[i] == labels[i - 1]) continue;
                insert(found, labels[i]);
            }
            return found;
        });
    std::vector<double> classes;
    for (const auto& part : parts) {
        for (const double value : part) {
            if (classes.size() <= kMostClasses) insert(classes, value);
        }
    }
    return classes;
}

std::optional<double> parse_label(std::string_view text) {
    float label = 0;
    if (decimal::read_whole(text, label) != decimal::Reading::kOk) return {};
    return label;
}

std::string label_text(double label) {
    char text[64];
    const auto value = static_cast<float>(label);
    const bool is_whole = value == std::trunc(value); // 1000000 stands in files, not 1e+06
    const auto result = is_whole ? std::to_chars(text, text + sizeof text, value, std::chars_format::fixed)
                                 : std::to_chars(text, text + sizeof text, value);
    return {text, result.ptr};
}

std::optional<double> usual_positive_class(const std::vector<double>& classes) {
    if (classes.size() == 2) return classes.back();
    if (classes.size() > 2 || classes.empty()) return std::nullopt;
    const double only = classes.front();
    return only == -1 || only == 0 || only == 1 ? std::optional(1.0) : std::nullopt;
}

double choose_positive_class(const std::vector<double>& classes, std::optional<double> chosen, bool must_occur,
                             const std::string& name) {
    if (chosen && !is_label(*chosen)) {
        throw Error(Failure::kUsage, fmt::format("{} cannot be a class", *chosen),
                    std::isfinite(*chosen) ? "labels are floats, and it lies beyond their range"
                                           : "labels are finite numbers",
                    "name a class that occurs");
    }
    if (classes.size() > kMostClasses) {
        throw Error(fmt::format("{} has more than {} different labels", name, kMostClasses),
                    "that looks like regression, not classes", "use --problem squared --real-labels");
    }
    constexpr double kExactIntegers = 1 << 24;
    for (const double value : classes) {
        if (std::abs(value) < kExactIntegers) continue;
        throw Error(fmt::format("{}: class {:.0f} is too large", name, value),
                    "beyond 16777215 neighbouring labels are one float", "renumber the classes");
    }
    if (chosen) {
        const double label = static_cast<float>(*chosen);
        if (must_occur && !std::binary_search(classes.begin(), classes.end(), label)) {
            throw Error(fmt::format("{} has no class {}", name, *chosen), "its classes are " + list(classes),
                        "choose one of them as the positive class");
        }
        return label;
    }
    if (const auto usual = usual_positive_class(classes)) return *usual;
    if (classes.size() > 2) {
        throw Error(
            fmt::format("{} has {} classes", name, classes.size()), list(classes),
            fmt::format("choose the positive one, such as --positive-class {}, or, if they are numbers to be met, "
                        "use --real-labels (with --problem squared)",
                        label_text(classes.front())));
    }
    const std::string only = label_text(classes.front());
    throw Error(fmt::format("{} has a single class, {}", name, only), "its opposite is unknown",
                "state whether it is positive, such as --positive-class " + only);
}

void map_labels(std::span<const float> source, double positive, std::span<float> target) {
    parallel_for(source.size(), kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) target[i] = source[i] == positive ? 1.0F : -1.0F;
    });
}

} // namespace hogwild
