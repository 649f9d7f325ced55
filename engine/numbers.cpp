#include "engine/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace hogwild {

std::string exact(double value) {
    if (!std::isfinite(value)) return "";
    char text[32];
    const auto result = std::to_chars(text, text + sizeof text, value);
    return {text, result.ptr};
}

std::string human(double value, int digits) {
    constexpr double kNoLongerWhole = 1e15;
    if (!std::isfinite(value)) return "-";
    const double size = std::abs(value);
    if (size >= 999 && size < kNoLongerWhole) {
        const double unit = std::pow(10.0, std::floor(std::log10(size)) + 1 - digits);
        const double rounded = std::round(size / unit) * unit;
        if (rounded >= 1000) return (value < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::llround(rounded)));
    }
    return fmt::format("{:.{}g}", value, digits);
}

std::string human_seconds(double seconds) {
    if (!std::isfinite(seconds)) return "-";
    if (seconds < 0.9995e-6) return human(seconds * 1e9) + " ns"; // what rounds to 1000 is one of the next unit
    if (seconds < 0.9995e-3) return human(seconds * 1e6) + " us";
    if (seconds < 0.9995) return human(seconds * 1e3) + " ms";
    if (seconds < 99.95) return human(seconds) + " s";
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    return fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::string grouped(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) {
        text.insert(static_cast<std::size_t>(at), ",");
    }
    return text;
}

std::string whole_or_human(double value, int digits) {
    constexpr double kMostWhole = 9007199254740992; // 2^53
    if (!(std::abs(value) <= kMostWhole) || value != std::trunc(value)) return human(value, digits);
    return (value < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::abs(value)));
}

std::string setting_text(const std::string& cell) {
    const auto value = parse_real(cell);
    return value ? whole_or_human(*value, 3) : cell;
}

std::string human_bytes(double bytes) {
    static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
        bytes /= 1024;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : 1, kUnits[unit]);
}

double to_digits(double value, int digits) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - (digits - 1));
    const std::string text = fmt::format("{:.{}g}", std::round(value / unit) * unit, digits);
    return parse_real(text).value_or(value); // through text: 0.07, not 0.07000000000000001
}

std::optional<double> parse_real(std::string_view text) {
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !std::isfinite(value)) return {};
    return value;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::uint64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return {};
    return value;
}

} // namespace hogwild
