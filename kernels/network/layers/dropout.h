// Dropout: while training some outputs are left out, the others enlarged (kernels/network/dropout.h).
#pragma once

#include "kernels/network/layers/layer_form.h"
#include "kernels/network/layers/layer_sample.h"
#include "kernels/network/network.h"

#include <cstdint>

namespace hogwild {

struct DropoutLayer {
    static constexpr LayerKind kKind = LayerKind::kDropout;
    static constexpr LayerForm kForm{"dropout", "dropout RATE", "dropout 0.5", {LayerWord::kRate}};

    static void forward(const LayerSample& of, const float* in, float* out) { drop(of, in, out); }
    static void back(const LayerSample& of, const float*, const float* slopes, float* in_slopes) {
        drop(of, slopes, in_slopes);
    }

private:
    /// Outputs and slopes alike.
    static void drop(const LayerSample& of, const float* from, float* to) {
        for (std::uint32_t u = 0; u < of.layer.in.size(); ++u)
            to[u] = from[u] * of.draws.factor(of.sample, of.number, u, of.layer.rate);
    }
};

} // namespace hogwild
