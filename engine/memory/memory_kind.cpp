#include "engine/memory/memory_kind.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace hogwild {
namespace {

/// The value of that name; the first where there is none.
template <class Part>
Part part_of(const auto& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? Part{} : static_cast<Part>(found - names.begin());
}

template <class Part>
std::string_view name_in(const auto& names, Part part) {
    return names[static_cast<std::size_t>(part)];
}

} // namespace

MemoryKind memory_kind(std::string_view place, std::string_view numbers, std::string_view rounding) {
    return {part_of<MemoryKind::Place>(kPlaceNames, place), part_of<MemoryKind::Numbers>(kNumbersNames, numbers),
            part_of<Rounding>(kRoundingNames, rounding)};
}

std::string_view place_name(const MemoryKind& kind) { return name_in(kPlaceNames, kind.place); }

std::string_view numbers_name(const MemoryKind& kind) { return name_in(kNumbersNames, kind.numbers); }

std::string_view rounding_name(const MemoryKind& kind) { return name_in(kRoundingNames, kind.rounding); }

std::string name_of(const MemoryKind& kind) {
    const bool rounds = kind.rounding != MemoryKind{}.rounding;
    std::string name(place_name(kind));
    if (rounds || !is_float32(kind)) name += fmt::format("-{}", numbers_name(kind));
    if (rounds) name += fmt::format("-{}", rounding_name(kind));
    return name;
}

std::optional<MemoryKind> parse_memory(std::string_view name) {
    for (const std::string_view place : kPlaceNames) {
        for (const std::string_view numbers : kNumbersNames) {
            for (const std::string_view rounding : kRoundingNames) {
                const MemoryKind kind = memory_kind(place, numbers, rounding);
                if (name_of(kind) == name) return kind;
            }
        }
    }
    return {};
}

std::string why_no_memory(const MemoryKind& kind) {
    if (!is_host(kind) && !is_device(kind) && !is_float32(kind))
        return fmt::format("{} memory holds floats, not {}; use --numbers float32, or --memory host or device",
                           place_name(kind), numbers_name(kind));
    if (is_device(kind) && !is_float32(kind) && storage_of(kind) != Storage::kBf16 &&
        storage_of(kind) != Storage::kFp16)
        return fmt::format("a GPU steps on float32, bf16 and fp16, not on {}; use one of these, or --memory host",
                           numbers_name(kind));
    if (kind.rounding == MemoryKind{}.rounding) return "";
    if (!is_short(kind))
        return fmt::format("{} is not rounded to; use --rounding unbiased, or --numbers bf16, fp16 or int8",
                           numbers_name(kind));
    if (!is_host(kind))
        return fmt::format("a GPU rounds without bias, not {}; use --rounding unbiased, or --memory host",
                           rounding_name(kind));
    return "";
}

} // namespace hogwild
