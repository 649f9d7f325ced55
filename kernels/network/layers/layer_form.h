// How a layer is written in the text of a network: its name, then words in a fixed order (engine/network/network.h reads them).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hogwild {

enum class LayerWord : std::uint8_t {
    kNone,
    kUnits,      // a number of units, each of which sees the whole map
    kFilters,    // a number of filters
    kSide,       // the side of a window
    kPoolSide,   // the side of a window, and from one to the next where no stride is said
    kStride,     // maybe "stride N"
    kBorder,     // maybe "pad N": a layer of its own before this one
    kRate,       // a share of units
    kActivation, // maybe one
};

struct LayerForm {
    std::string_view name{}, form{}, example{}; // no form: others bring it along
    std::array<LayerWord, 5> words{};

    constexpr bool has(LayerWord word) const {
        for (const LayerWord each : words)
            if (each == word) return true;
        return false;
    }
    constexpr bool has_window() const { return has(LayerWord::kSide) || has(LayerWord::kPoolSide); }
};

} // namespace hogwild
