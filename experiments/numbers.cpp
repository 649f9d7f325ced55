#include "experiments/numbers.h"

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

std::string human(double value) { return std::isfinite(value) ? fmt::format("{:.3g}", value) : "-"; }

std::string human_seconds(double seconds) {
    if (!std::isfinite(seconds)) return "-";
    if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
    if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
    if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
    if (seconds < 99.95) return fmt::format("{:.3g} s", seconds);
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

std::string human_bytes(double bytes) {
    static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
        bytes /= 1024;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : 1, kUnits[unit]);
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
