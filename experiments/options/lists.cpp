#include "experiments/options/lists.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "experiments/options/number_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace hogwild {
namespace {

constexpr std::uint64_t kMost = 10'000; // values of one bracket; more are a typing mistake

/// One bracket of one option, for its errors.
struct Bracket {
    std::string_view option;
    std::string_view text; // with its brackets

    [[noreturn]] void refuse(const std::string& why, const std::string& suggestion) const {
        throw Error(Failure::kUsage, fmt::format("{} cannot be '{}'", option, text), why, suggestion);
    }

    void check_count(std::uint64_t count) const {
        if (count > kMost) refuse(fmt::format("it stands for {} values", grouped(count)), "name fewer values");
    }
};

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

struct Ends {
    std::string_view first, last;
};

/// "A..B"
Ends ends_of(const Bracket& bracket, std::string_view text) {
    const auto dots = text.find("..");
    if (dots == std::string_view::npos) bracket.refuse("it has no range A..B", "write it like [pow2 1..64]");
    return {trimmed(text.substr(0, dots)), trimmed(text.substr(dots + 2))};
}

std::vector<std::string> powers_of_two(const Bracket& bracket, std::string_view range) {
    const Ends ends = ends_of(bracket, range);
    const auto first = parse_count(ends.first), last = parse_count(ends.last);
    if (!first || !last || *first == 0 || *first > *last)
        bracket.refuse("its range is not of whole numbers above 0, the smaller first", "write it like [pow2 1..64]");
    std::vector<std::string> values;
    for (std::uint64_t power = 1; power <= *last; power *= 2) {
        if (power >= *first) values.push_back(std::to_string(power));
        if (power > *last / 2) break; // twice that may not fit
    }
    if (values.empty()) bracket.refuse("no power of two lies within", "write it like [pow2 1..64]");
    return values;
}

/// Refuses an end that no number can be.
void check_range(const Bracket& bracket, std::string_view end, const char* suggestion) {
    const std::string why = why_no_number(end, "");
    if (!why.empty()) bracket.refuse(fmt::format("of '{}': {}", end, why), suggestion);
}

/// Rounded to so many digits where that is still a number.
std::string within(double value, int digits) {
    std::string text = fmt::format("{:.{}g}", value, digits);
    return parse_real(text) ? text : exact(value);
}

/// first (last / first)^share, also where the ratio is beyond all numbers.
double between(double first, double last, double share) {
    const double ratio = last / first;
    if (std::isfinite(ratio)) return first * std::pow(ratio, share);
    return std::exp(std::lerp(std::log(first), std::log(last), share));
}

std::vector<std::string> logarithmic(const Bracket& bracket, std::string_view text) {
    const auto times = text.rfind('x');
    const auto count = times == std::string_view::npos ? std::nullopt : parse_count(trimmed(text.substr(times + 1)));
    if (!count || *count < 2)
        bracket.refuse("it does not say how many, at least two", "write it like [log 1e-3..1 x12]");
    bracket.check_count(*count);
    const Ends ends = ends_of(bracket, trimmed(text.substr(0, times)));
    const char* const like = "write it like [log 1e-3..1 x12]";
    for (const std::string_view end : {ends.first, ends.last}) check_range(bracket, end, like);
    const auto first = parse_real(ends.first), last = parse_real(ends.last);
    if (!first || !last || !(*first > 0) || !(*first < *last))
        bracket.refuse("its range is not of numbers above 0, the smaller first", like);
    std::vector<std::string> values{std::string(ends.first)};
    for (std::uint64_t i = 1; i + 1 < *count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(*count - 1);
        values.push_back(within(between(*first, *last, share), 3));
    }
    values.emplace_back(ends.last);
    return values;
}

/// "A:B" or "A:B:BY"
std::vector<std::string> stepwise(const Bracket& bracket, std::string_view text) {
    std::vector<double> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        const std::string_view word = trimmed(text.substr(begin, end - begin));
        const auto number = parse_real(word);
        check_range(bracket, word, "write it like [1:64:2]");
        if (!number) bracket.refuse("it is none of [A:B:BY], [pow2 A..B] and [log A..B xN]", "write it like [1:64:2]");
        numbers.push_back(*number);
        begin = end + 1;
    }
    if (numbers.size() == 2) numbers.push_back(1);
    if (numbers.size() != 3 || !(numbers[2] > 0) || numbers[0] > numbers[1])
        bracket.refuse("it is not from, to and by, the smaller end first and by above 0", "write it like [1:64:2]");
    const double all = numbers[1] - numbers[0];
    const double whole = std::isfinite(all) ? all / numbers[2] : numbers[1] / numbers[2] - numbers[0] / numbers[2];
    const double steps = std::floor(whole + 1e-9); // 0:1:0.1 ends at 1
    if (!(steps < 1e18)) bracket.refuse("it stands for more than 10^18 values", "name fewer values");
    bracket.check_count(static_cast<std::uint64_t>(steps) + 1);
    std::vector<std::string> values;
    for (double i = 0; i <= steps; ++i) {
        const double value = numbers[0] + i * numbers[2]; // of both alone either may be beyond all numbers
        values.push_back(within(std::isfinite(value) ? value : std::fma(i, numbers[2], numbers[0]), 12));
    }
    return values;
}

std::vector<std::string> values_of(const Bracket& bracket) {
    if (!bracket.text.ends_with(']')) bracket.refuse("a bracket is not closed", "write it like [1:64:2]");
    const std::string_view inner = trimmed(bracket.text.substr(1, bracket.text.size() - 2));
    if (inner.starts_with("pow2 ")) return powers_of_two(bracket, inner.substr(5));
    if (inner.starts_with("log ")) return logarithmic(bracket, inner.substr(4));
    return stepwise(bracket, inner);
}

void append_once(std::vector<std::string>& values, std::string value) {
    if (std::ranges::find(values, value) == values.end()) values.push_back(std::move(value));
}

} // namespace

std::vector<std::string> name_list(std::string_view option, std::string_view text) {
    std::vector<std::string> values;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view value = text.substr(begin, end - begin);
        if (value.empty()) {
            throw Error(Failure::kUsage, fmt::format("{} cannot be '{}'", option, text), "a value of the list is empty",
                        "separate values by single commas");
        }
        if (value.starts_with('[')) {
            for (std::string& each : values_of({option, value})) append_once(values, std::move(each));
        } else {
            append_once(values, std::string(value));
        }
        begin = end + 1;
    }
    return values;
}

} // namespace hogwild
