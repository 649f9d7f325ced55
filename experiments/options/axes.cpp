#include "experiments/options/axes.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "experiments/options/number_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace hogwild {
namespace {

constexpr std::uint64_t kMostSeeds = 10'000; // a longer range is a typing mistake

/// An option and what was typed behind it.
struct Typed {
    std::string_view option, text;
};

/// A value that a bracket made is said with the bracket.
[[noreturn]] void refuse(const Typed& typed, std::string_view value, std::string_view why,
                         std::string_view suggestion) {
    const bool made =
        typed.text.find('[') != std::string_view::npos && typed.text.find(value) == std::string_view::npos;
    throw Error(
        Failure::kUsage,
        fmt::format("{} cannot be '{}'{}", typed.option, value, made ? fmt::format(" of '{}'", typed.text) : ""),
        std::string(why), std::string(suggestion));
}

struct Range {
    std::uint64_t first, last;
};

/// "3..9" as a range, nothing when there is no "..".
std::optional<Range> parse_range(std::string_view option, std::string_view value) {
    const auto dots = value.find("..");
    if (dots == std::string_view::npos) return {};
    const auto first = parse_count(value.substr(0, dots)), last = parse_count(value.substr(dots + 2));
    if (!first || !last) refuse({option, value}, value, "a range is two whole numbers", "write it like 1..8");
    if (*first > *last) refuse({option, value}, value, "the range is empty", "write the smaller end first");
    return Range{*first, *last};
}

template <class T>
void append_once(std::vector<T>& values, T value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

void append_doubling(std::vector<std::uint64_t>& threads, std::uint64_t first, std::uint64_t last) {
    append_once(threads, first);
    for (std::uint64_t power = 1; power < last; power *= 2) {
        if (power > first) append_once(threads, power);
    }
    append_once(threads, last);
}

} // namespace

std::vector<double> real_list(std::string_view option, std::string_view text) {
    std::vector<double> values;
    for (const std::string& value : name_list(option, text)) {
        const auto number = parse_real(value);
        if (!number)
            refuse({option, text}, value, why_no_number(value, "it is not a finite number"),
                   "give numbers like 0.1,0.5,1e-4");
        append_once(values, *number);
    }
    return values;
}

namespace {

std::vector<Real> plain_reals(std::string_view option, std::string_view text) {
    const std::vector<double> numbers = real_list(option, text);
    return {numbers.begin(), numbers.end()};
}

std::vector<Real> reals_above_zero(std::string_view option, std::string_view text) {
    std::vector<Real> values = plain_reals(option, text);
    for (const std::string& value : name_list(option, text)) {
        if (*parse_real(value) <= 0) refuse({option, text}, value, "it is not above 0", "give numbers like 0.1,1,10");
    }
    return values;
}

std::vector<Real> over_rows_list(std::string_view option, std::string_view text) {
    std::vector<Real> values;
    for (const std::string& value : name_list(option, text)) {
        const bool over_rows = value == "1/n";
        const auto number = over_rows ? 1.0 : parse_real(value);
        if (!number)
            refuse({option, text}, value, why_no_number(value, "it is neither a finite number nor 1/n"),
                   "give numbers like 0,1e-4 or 1/n");
        append_once(values, Real(*number, over_rows));
    }
    return values;
}

std::vector<Real> warm_up_list(std::string_view option, std::string_view text) {
    constexpr std::string_view kUnit = "samples";
    std::vector<Real> values;
    for (const std::string& value : name_list(option, text)) {
        const bool samples = value.ends_with(kUnit);
        const std::string_view amount = std::string_view(value).substr(0, value.size() - (samples ? kUnit.size() : 0));
        const auto count = parse_count(amount);
        const auto number = samples && count ? static_cast<double>(*count)
                            : samples        ? std::nullopt
                                             : parse_real(amount);
        if (!number || *number < 0) {
            refuse({option, text}, value, "it is neither a number of epochs from 0 up nor a whole number of samples",
                   "give numbers like 0.5 or 1000samples");
        }
        append_once(values, Real(*number, samples));
    }
    return values;
}

/// The value of an axis that takes one value for every run.
std::vector<Real> one_real(const Axis& axis, std::string_view option, std::string_view text) {
    if (axis.grammar == Axis::Grammar::kAboveZero) {
        const auto value = parse_real(text);
        if (!value || *value <= 0)
            refuse({option, text}, text, why_no_number(text, "it is not a number above 0"), "give one like 0.5");
        return {*value};
    }
    std::vector<Real> values = plain_reals(option, text);
    if (values.size() != 1) refuse({option, text}, text, "it is not an axis", "give one number");
    return values;
}

Values parse_reals(const Axis& axis, std::string_view option, std::string_view text) {
    if (axis.group == Axis::Group::kOne) return one_real(axis, option, text);
    switch (axis.grammar) {
    case Axis::Grammar::kOneOverRows: return over_rows_list(option, text);
    case Axis::Grammar::kWarmUp: return warm_up_list(option, text);
    case Axis::Grammar::kAboveZero: return reals_above_zero(option, text);
    default: return plain_reals(option, text);
    }
}

Values parse_counts(const Axis& axis, std::string_view option, std::string_view text, CoreCounts cores) {
    switch (axis.grammar) {
    case Axis::Grammar::kThreads: return thread_list(option, text, cores.usable);
    case Axis::Grammar::kCluster: return cluster_list(option, text, cores.node);
    case Axis::Grammar::kSeeds: return seed_list(option, text);
    default: break;
    }
    std::vector<std::uint64_t> values = count_list(option, text);
    if (axis.group == Axis::Group::kOne && values.size() != 1)
        refuse({option, text}, text, "it is not an axis", "give one whole number");
    return values;
}

/// An empty list of the kind of its field; one that has none sets a number of another.
Values no_values(const Axis& axis) {
    return std::visit(
        []<class F>(const F&) -> Values {
            if constexpr (std::is_same_v<F, TextField>)
                return std::vector<std::string>();
            else if constexpr (std::is_same_v<F, CountField> || std::is_same_v<F, SeedField>)
                return std::vector<std::uint64_t>();
            else
                return std::vector<Real>();
        },
        axis.field);
}

} // namespace

Axes::Axes() {
    const Plan plan;
    for (const Axis* row : hogwild::axes()) {
        Values list = no_values(*row);
        if (!row->usual.empty()) {
            list = name_list(row->name, row->usual);
        } else if (!row->depends) {
            std::visit([&]<class T>(std::vector<T>& of) { of.push_back(std::get<T>(value_of(*row, plan))); }, list);
        }
        lists_.emplace(row->name, std::move(list));
    }
}

Values& Axes::values(std::string_view name) { return lists_.find(axis(name).name)->second; }

const Values& Axes::values(std::string_view name) const { return lists_.find(axis(name).name)->second; }

bool Axes::open(std::string_view name) const {
    return std::visit([](const auto& list) { return list.empty(); }, values(name));
}

Values parse_values(const Axis& axis, std::string_view option, std::string_view text, CoreCounts cores) {
    const Values kind = no_values(axis);
    if (std::holds_alternative<std::vector<std::string>>(kind)) return name_list(option, text);
    if (std::holds_alternative<std::vector<Real>>(kind)) return parse_reals(axis, option, text);
    return parse_counts(axis, option, text, cores);
}

std::vector<std::uint64_t> count_list(std::string_view option, std::string_view text) {
    std::vector<std::uint64_t> values;
    for (const std::string& value : name_list(option, text)) {
        const auto number = parse_count(value);
        if (!number || *number > std::numeric_limits<std::uint32_t>::max()) {
            refuse({option, text}, value, "it is not a whole number below 2^32", "give whole numbers like 64,256");
        }
        append_once(values, *number);
    }
    return values;
}

std::vector<std::uint64_t> seed_list(std::string_view option, std::string_view text) {
    std::vector<std::uint64_t> values;
    for (const std::string& value : name_list(option, text)) {
        if (const auto range = parse_range(option, value)) {
            if (range->last - range->first >= kMostSeeds)
                refuse({option, text}, value, "too many seeds", "name fewer seeds");
            for (std::uint64_t i = 0; i <= range->last - range->first; ++i) append_once(values, range->first + i);
            continue;
        }
        const auto number = parse_count(value);
        if (!number) refuse({option, text}, value, "it is not a whole number", "give seeds like 1,2,3 or 1..5");
        append_once(values, *number);
    }
    return values;
}

std::vector<std::uint64_t> thread_list(std::string_view option, std::string_view text, unsigned usable_cores) {
    std::vector<std::uint64_t> values;
    for (const std::string& value : name_list(option, text)) {
        if (value == "all") {
            append_doubling(values, 1, usable_cores);
            continue;
        }
        const auto range = parse_range(option, value);
        const auto first = range ? range->first : parse_count(value);
        if (!first || *first == 0 || (range ? range->last : *first) > kMostThreads) {
            refuse({option, text}, value, fmt::format("it is not a number of threads from 1 to {}", kMostThreads),
                   "give numbers like 1,2,4, a range like 1..16, or all");
        }
        append_doubling(values, *first, range ? range->last : *first);
    }
    return values;
}

std::vector<std::uint64_t> cluster_list(std::string_view option, std::string_view text, unsigned node_cores) {
    std::vector<std::uint64_t> values;
    for (const std::string& value : name_list(option, text)) {
        const auto count = value == "core"      ? 1
                           : value == "node"    ? node_cores
                           : value == "machine" ? kMostThreads
                                                : parse_count(value).value_or(0);
        if (count == 0 || count > kMostThreads) {
            refuse({option, text}, value, fmt::format("it is not a number of workers from 1 to {}", kMostThreads),
                   "give numbers like 1,2,4, or core, node or machine");
        }
        append_once(values, static_cast<std::uint64_t>(count));
    }
    return values;
}

bool cap_threads(std::vector<std::uint64_t>& threads, unsigned usable_cores) {
    std::vector<std::uint64_t> capped;
    for (const std::uint64_t wanted : threads) append_once(capped, std::min<std::uint64_t>(wanted, usable_cores));
    const bool changed = capped != threads;
    threads = std::move(capped);
    return changed;
}

} // namespace hogwild
