// The registry of layers, a type list: what a network's text may name, what a pass does with it.
//
// To add one: its header in this folder, its name in LayerKind (kernels/network/network.h), its include and its entry in `Layers`.
// A layer without weights is a class as kernels/network/layers/layer_sample.h wants it, and needs no more on a CPU. A GPU's two
// cases stand in kernels/cuda/network/network_step.cuh. Layers with weights go through kernels/network/layers/weighted.h and
// batch_norm.h.
#pragma once

#include "kernels/network/layers/batch_norm.h"
#include "kernels/network/layers/dropout.h"
#include "kernels/network/layers/layer_form.h"
#include "kernels/network/layers/max_pool.h"
#include "kernels/network/layers/mean_pool.h"
#include "kernels/network/layers/pad.h"
#include "kernels/network/layers/weighted.h"
#include "kernels/network/network.h"

#include <array>
#include <cstddef>
#include <variant>

namespace hogwild {

// In the order of LayerKind; never instantiated.
using Layers =
    std::variant<DenseLayer, ConvolutionLayer, PadLayer, MaxPoolLayer, MeanPoolLayer, DropoutLayer, BatchNorm>;

namespace layer_list {

template <class... Kinds>
constexpr std::array<LayerForm, sizeof...(Kinds)> forms(const std::variant<Kinds...>*) {
    return {Kinds::kForm...};
}

template <class... Kinds>
constexpr bool in_order(const std::variant<Kinds...>*) {
    std::size_t number = 0;
    return ((static_cast<std::size_t>(Kinds::kKind) == number++) && ...);
}
static_assert(in_order(static_cast<const Layers*>(nullptr)), "a layer stands in the list where LayerKind has it");

/// f(the layer of that number, or the last one where there is none).
template <std::size_t kNumber, class F>
[[gnu::always_inline]] inline auto call(const F& f) {
    constexpr std::size_t kLast = std::variant_size_v<Layers> - 1;
    return f(std::variant_alternative_t < kNumber <= kLast ? kNumber : kLast, Layers > ());
}

} // namespace layer_list

/// How each is written; the number of a form is that of its LayerKind.
inline constexpr auto kLayerForms = layer_list::forms(static_cast<const Layers*>(nullptr));

/// Calls f(Kind{}) for the layer of that kind.
template <class F>
[[gnu::always_inline]] inline auto with_layer(LayerKind kind, const F& f) {
    static_assert(std::variant_size_v<Layers> <= 8, "a case for each");
    switch (static_cast<std::size_t>(kind)) {
    case 0: return layer_list::call<0>(f);
    case 1: return layer_list::call<1>(f);
    case 2: return layer_list::call<2>(f);
    case 3: return layer_list::call<3>(f);
    case 4: return layer_list::call<4>(f);
    case 5: return layer_list::call<5>(f);
    case 6: return layer_list::call<6>(f);
    default: return layer_list::call<7>(f);
    }
}

} // namespace hogwild
