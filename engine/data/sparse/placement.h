// Where each coordinate lies in the parameter buffer: a renumbering of the columns.
//
//   stored      as the file numbers them
//   hottest     by falling number of samples that touch them: the hottest share few lines
//   scattered   in a pseudo-random order: no line holds many hot ones
//   hot-first   the `hot` hottest by falling number, all others scattered: a GPU's blocks know hot ones by their number, and
//               fetch them together
//   hot-apart   as hot-first, but hot ones on a cache line each where the columns suffice: workers meet on a line for
//               one hot coordinate only
//
// Neighbours in the buffer share cache lines, and what one worker writes takes the line from all others. So numbering
// is speed and nothing else: results differ by the order of additions within a row only.
// Thread-safety: pure functions of their arguments; copies in parallel, the same bits at any thread count.
#pragma once

#include "engine/data/dataset.h"
#include "engine/named_rows.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hogwild {

struct PlacementTraits {
    std::string_view name;
    bool moves = false;   // columns are renumbered
    bool by_heat = false; // all of them, by falling number
    bool counted = false; // `hot` of them have places of their own
    bool apart = false;   // on lines of their own, where the columns suffice

    /// Whether the hottest columns come first; and whether one knows by their numbers which they are.
    constexpr bool leads_with_hot() const { return by_heat || (counted && !apart); }
    constexpr bool knows_hot() const { return by_heat || counted; }
};
inline constexpr PlacementTraits kPlacementTraits[] = {
    {.name = "stored"},
    {.name = "hottest", .moves = true, .by_heat = true},
    {.name = "scattered", .moves = true},
    {.name = "hot-first", .moves = true, .counted = true},
    {.name = "hot-apart", .moves = true, .counted = true, .apart = true},
};

/// The row of that name; that of `stored` where there is none.
constexpr const PlacementTraits& placement_traits(std::string_view kind) {
    return choice_named(kPlacementTraits, kind);
}

/// New number of every column of `data`; one-to-one. Empty: as stored. `hot`: of hot-first and hot-apart.
/// Precondition: `kind` is a name in kPlacementTraits; the samples are sparse rows, or it is `stored`.
std::vector<std::uint32_t> placement(std::string_view kind, const AnyView& data, std::uint32_t hot);

/// Hot coordinate number k of so many lies at k << hot_shift in placement `kind`. Precondition: hot > 0.
unsigned hot_shift(std::string_view kind, std::uint32_t columns, std::uint32_t hot);

/// The same samples with renumbered columns, each row in rising order again. `data` may hold fewer columns than `numbers`.
Dataset placed(const Dataset& data, const std::vector<std::uint32_t>& numbers);

} // namespace hogwild
