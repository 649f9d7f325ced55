// What a step on a window of text adds to each vector that it touches, all from one reading.
//
//   contexts c with inputs x_c; a list of outputs y_0 (the centre's), y_1, ... (the negatives'), the window's or the context's own
//   g_cm = factor x slope(x_c . y_m, m = 0),    x_c += sum over m of g_cm y_m,    y_m += sum over c of g_cm x_c
//
// Vectors are first copied to rows of this worker's own, and every product and every sum is of these copies. So a
// window with one list is two small matrix products. What is added to a vector twice (a word that occurs twice) is
// added twice.
//
// Thread-safety: a worker's own scratch; the vectors may be written by others meanwhile. Memory: 130 rows of at most
// kMostDim floats, where it is made; a window touches as many of them as it has vectors.
#pragma once

#include "kernels/lanes/dispatch.h"
#include "kernels/views/tokens_view.h"

#include <cstddef>
#include <cstdint>

namespace hogwild {

class WindowGradient {
public:
    static constexpr std::uint32_t kMostDim = 512;

    /// Reads a window that has contexts.
    template <class Problem, class Lanes>
    void read(const TokenWindow& window, const float* weights, float factor) {
        OnLanes<ReadBody<Problem>, WindowGradient&, const TokenWindow&, const float*, float>::template on<Lanes>(
            *this, window, weights, factor);
    }

    /// visit(group, row, scale): scale x row is to be added to the group's vector; in the order of for_each_increment.
    void for_each_increment(const TokenWindow& window, const auto& visit) const {
        for (std::uint32_t n = 0; n < window.contexts; ++n) visit(window.context[n], of_input(n), 1.0f);
        if (window.contexts > 0) visit(window.words + window.centre, of_output(0), 1.0f);
        for (std::uint32_t l = 0; l < window.lists; ++l) {
            for (std::uint32_t m = 1; m <= window.count[l]; ++m) {
                const std::uint32_t group = window.words + window.negative[l * window.stride + m - 1];
                if (window.lists == 1)
                    visit(group, of_output(m), 1.0f);
                else
                    visit(group, inputs(l), slopes(window, l)[m]);
            }
        }
    }

private:
    template <class Problem>
    struct ReadBody {
        template <class Lanes>
        static void run(WindowGradient& gradient, const TokenWindow& window, const float* weights, float factor) {
            gradient.read_on<Problem, Lanes>(window, weights, factor);
        }
    };

    template <class Problem, class Lanes>
    void read_on(const TokenWindow& window, const float* weights, float factor) {
        dim_ = window.dim;
        stride_ = own_stride(dim_);
        for (std::uint32_t n = 0; n < window.contexts; ++n) copy<Lanes>(inputs(n), weights, window.context[n]);
        copy<Lanes>(outputs(0), weights, window.words + window.centre);
        const std::uint32_t contexts = window.contexts / window.lists; // of a list
        for (std::uint32_t l = 0; l < window.lists; ++l) {
            const std::uint32_t first = l * contexts, count = 1 + window.count[l];
            for (std::uint32_t m = 1; m < count; ++m)
                copy<Lanes>(outputs(m), weights, window.words + window.negative[l * window.stride + m - 1]);
            float* const slope = slopes(window, l);
            Lanes::products(inputs(first), contexts, outputs(0), count, stride_, slope);
            for (std::uint32_t n = 0; n < contexts; ++n) slope[n] = factor * Problem::slope(slope[n], 1.0f);
            for (std::uint32_t n = contexts; n < contexts * count; ++n)
                slope[n] = factor * Problem::slope(slope[n], 0.0f);
            for (std::uint32_t n = 0; n < contexts; ++n)
                Lanes::sum_rows(of_input(first + n), outputs(0), count, stride_, slope + n, contexts);
            if (window.lists > 1) continue;
            for (std::uint32_t m = 0; m < count; ++m)
                Lanes::sum_rows(of_output(m), inputs(0), contexts, stride_, slope + std::size_t{m} * contexts, 1);
        }
        if (window.lists > 1)
            Lanes::sum_rows(of_output(0), inputs(0), window.contexts, stride_, slopes_, 1 + window.stride);
    }

    static constexpr std::uint32_t kContexts = TokenWindow::kMostContexts, kOutputs = 1 + SkipGramModel::kMostNegatives;

    template <class Lanes>
    void copy(float* own, const float* weights, std::uint32_t group) const {
        Lanes::copy_row(own, weights + std::size_t{group} * dim_, dim_);
    }

    // Rows lie as close as their size allows: first all inputs and outputs, then what is added to them.
    float* row(std::uint32_t r) { return rows_ + std::size_t{r} * stride_; }
    const float* row(std::uint32_t r) const { return rows_ + std::size_t{r} * stride_; }
    float* outputs(std::uint32_t m) { return row(m); }
    float* inputs(std::uint32_t n) { return row(kOutputs + n); }
    const float* inputs(std::uint32_t n) const { return row(kOutputs + n); }
    float* of_output(std::uint32_t m) { return row(kOutputs + kContexts + m); }
    const float* of_output(std::uint32_t m) const { return row(kOutputs + kContexts + m); }
    float* of_input(std::uint32_t n) { return row(2 * kOutputs + kContexts + n); }
    const float* of_input(std::uint32_t n) const { return row(2 * kOutputs + kContexts + n); }

    /// Slopes of list l. That of context n, or of its own context, with output m lies at [m * contexts + n].
    float* slopes(const TokenWindow& window, std::uint32_t l) { return slopes_ + std::size_t{l} * (1 + window.stride); }
    const float* slopes(const TokenWindow& window, std::uint32_t l) const {
        return slopes_ + std::size_t{l} * (1 + window.stride);
    }

    std::uint32_t dim_ = 0, stride_ = 0;
    float slopes_[kContexts * kOutputs];
    alignas(64) float rows_[std::size_t{2} * (kContexts + kOutputs) * kMostDim];
};

} // namespace hogwild
