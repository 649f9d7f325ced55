// The words that options take: which an axis knows, and a refusal that lists them. No plan is needed.
// Thread-safety: constants and pure functions.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

namespace hogwild {

/// The word that stands for a choice among an axis's names (`Axis::also`); instruction sets have it among their names. No
/// scheme and no hot updates of a plan have it.
inline constexpr std::string_view kAuto = "auto";

constexpr bool is_auto(std::string_view name) { return name == kAuto; }

/// Whether it is among the words that were given.
template <class Names>
bool has_auto(const Names& names) {
    return std::ranges::find(names, kAuto) != std::ranges::end(names);
}

/// The names that an axis knows; none for any other word. These are the axes:
/// "problem", "scheme", "update", "guard", "order", "pin", "telemetry", "lanes", "step", "device", "memory", "numbers",
/// "rounding", "placement", "hot-updates", "combine", "read", "optimizer", "state", "staleness-rule", "gpu-steps",
/// "products".
/// Also, each once: "parameter", of all problems' models, and "score", what their samples are scored by.
std::span<const std::string_view> known_names(std::string_view axis);

/// Throws Error (Failure::kUsage) for a name that is neither one that such an axis knows nor `also`.
void check_name(std::string_view axis, std::string_view name, std::string_view also = {});

} // namespace hogwild
