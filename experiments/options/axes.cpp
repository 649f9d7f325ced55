#include "experiments/options/axes.h"

#include "engine/error.h"
#include "engine/plan/plan.h"
#include "experiments/text/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace hogwild {
namespace {

constexpr std::uint64_t kMostSeeds = 10'000; // a longer range is a typing mistake

[[noreturn]] void refuse(std::string_view option, std::string_view value, std::string_view why,
                         std::string_view suggestion) {
    throw Error(Failure::kUsage, fmt::format("{} cannot be '{}'", option, value), std::string(why),
                std::string(suggestion));
}

struct Range {
    std::uint64_t first, last;
};

/// "3..9" as a range, nothing when there is no "..".
std::optional<Range> parse_range(std::string_view option, std::string_view value) {
    const auto dots = value.find("..");
    if (dots == std::string_view::npos) return {};
    const auto first = parse_count(value.substr(0, dots)), last = parse_count(value.substr(dots + 2));
    if (!first || !last) refuse(option, value, "a range is two whole numbers", "write it like 1..8");
    if (*first > *last) refuse(option, value, "the range is empty", "write the smaller end first");
    return Range{*first, *last};
}

template <class T>
void append_once(std::vector<T>& values, T value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

void append_doubling(std::vector<unsigned>& threads, std::uint64_t first, std::uint64_t last) {
    append_once(threads, static_cast<unsigned>(first));
    for (std::uint64_t power = 1; power < last; power *= 2) {
        if (power > first) append_once(threads, static_cast<unsigned>(power));
    }
    append_once(threads, static_cast<unsigned>(last));
}

} // namespace

std::vector<double> real_list(std::string_view option, std::string_view text) {
    std::vector<double> values;
    for (const std::string& value : name_list(option, text)) {
        const auto number = parse_real(value);
        if (!number) refuse(option, value, "it is not a finite number", "give numbers like 0.1,0.5,1e-4");
        append_once(values, *number);
    }
    return values;
}

std::vector<double> scale_list(std::string_view option, std::string_view text) {
    std::vector<double> values = real_list(option, text);
    for (const double value : values) {
        if (!(value > 0)) refuse(option, exact(value), "it is not above 0", "give numbers like 0.1,1,10");
    }
    return values;
}

std::vector<double> l2_list(std::string_view option, std::string_view text) {
    std::vector<double> values;
    for (const std::string& value : name_list(option, text)) {
        const auto number = value == "1/n" ? kOneOverRows : parse_real(value);
        if (!number) refuse(option, value, "it is neither a finite number nor 1/n", "give numbers like 0,1e-4 or 1/n");
        append_once(values, *number);
    }
    return values;
}

std::vector<WarmUp> warm_up_list(std::string_view option, std::string_view text) {
    constexpr std::string_view kUnit = "samples";
    std::vector<WarmUp> values;
    for (const std::string& value : name_list(option, text)) {
        const bool samples = value.ends_with(kUnit);
        const std::string_view amount = std::string_view(value).substr(0, value.size() - (samples ? kUnit.size() : 0));
        const auto count = parse_count(amount);
        const auto number = samples && count ? static_cast<double>(*count)
                            : samples        ? std::nullopt
                                             : parse_real(amount);
        if (!number || *number < 0) {
            refuse(option, value, "it is neither a number of epochs from 0 up nor a whole number of samples",
                   "give numbers like 0.5 or 1000samples");
        }
        append_once(values, WarmUp{*number, samples});
    }
    return values;
}

std::vector<std::uint32_t> count_list(std::string_view option, std::string_view text) {
    std::vector<std::uint32_t> values;
    for (const std::string& value : name_list(option, text)) {
        const auto number = parse_count(value);
        if (!number || *number > std::numeric_limits<std::uint32_t>::max()) {
            refuse(option, value, "it is not a whole number below 2^32", "give whole numbers like 64,256");
        }
        append_once(values, static_cast<std::uint32_t>(*number));
    }
    return values;
}

std::vector<std::uint64_t> seed_list(std::string_view option, std::string_view text) {
    std::vector<std::uint64_t> values;
    for (const std::string& value : name_list(option, text)) {
        if (const auto range = parse_range(option, value)) {
            if (range->last - range->first >= kMostSeeds) refuse(option, value, "too many seeds", "name fewer seeds");
            for (std::uint64_t i = 0; i <= range->last - range->first; ++i) append_once(values, range->first + i);
            continue;
        }
        const auto number = parse_count(value);
        if (!number) refuse(option, value, "it is not a whole number", "give seeds like 1,2,3 or 1..5");
        append_once(values, *number);
    }
    return values;
}

std::vector<unsigned> thread_list(std::string_view option, std::string_view text, unsigned usable_cores) {
    std::vector<unsigned> values;
    for (const std::string& value : name_list(option, text)) {
        if (value == "all") {
            append_doubling(values, 1, usable_cores);
            continue;
        }
        const auto range = parse_range(option, value);
        const auto first = range ? range->first : parse_count(value);
        if (!first || *first == 0 || (range ? range->last : *first) > kMostThreads) {
            refuse(option, value, fmt::format("it is not a number of threads from 1 to {}", kMostThreads),
                   "give numbers like 1,2,4, a range like 1..16, or all");
        }
        append_doubling(values, *first, range ? range->last : *first);
    }
    return values;
}

std::vector<unsigned> cluster_list(std::string_view option, std::string_view text, unsigned node_cores) {
    std::vector<unsigned> values;
    for (const std::string& value : name_list(option, text)) {
        const auto count = value == "core"      ? 1
                           : value == "node"    ? node_cores
                           : value == "machine" ? kMostThreads
                                                : parse_count(value).value_or(0);
        if (count == 0 || count > kMostThreads) {
            refuse(option, value, fmt::format("it is not a number of workers from 1 to {}", kMostThreads),
                   "give numbers like 1,2,4, or core, node or machine");
        }
        append_once(values, static_cast<unsigned>(count));
    }
    return values;
}

bool cap_threads(std::vector<unsigned>& threads, unsigned usable_cores) {
    std::vector<unsigned> capped;
    for (const unsigned wanted : threads) append_once(capped, std::min(wanted, usable_cores));
    const bool changed = capped != threads;
    threads = std::move(capped);
    return changed;
}

} // namespace hogwild
