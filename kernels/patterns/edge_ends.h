// The access pattern of graph cuts. A sample is an edge, which moves the rows of its two ends towards each other. Each
// row is then projected onto the simplex.
//
//   x_u <- project(x_u - (step / 2) (w / mean) s),   x_v <- project(x_v + (step / 2) (w / mean) s),   s_k = slope(x_uk - x_vk)
//
// Dividing by the mean weight makes step sizes comparable between graphs. An update policy is handed increments: what
// projecting makes of the row that was read, minus that row. So policies that lose or drop increments work here as
// elsewhere. Increments of several workers may sum to a row a little outside the simplex. The next step on it projects
// what it reads, and so brings it back. Terminals are read as corners and never written. With two classes a node has
// one number, and moves as if it had both. Source: Recht et al. 2011, section 2.
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/scalar.h"
#include "kernels/numbers/simplex.h"
#include "kernels/parameters.h"
#include "kernels/patterns/edge_pull.h"
#include "kernels/patterns/edge_rows.h"
#include "kernels/problem.h"
#include "kernels/score.h"
#include "kernels/steps/batch.h"
#include "kernels/steps/steps.h"
#include "kernels/views/edges_view.h"
#include "kernels/views/prefetch.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace hogwild {

/// Asks for edges before the loop comes to them; their rows are near those of their neighbours (engine/data/shuffle.h).
class EdgePrefetch {
public:
    EdgePrefetch(const EdgesView& data, const Chunk& chunk)
        : edges_(data.edges), samples_(chunk.samples), count_(chunk.count + chunk.ahead) {}

    /// Before the loop.
    void prime() const {
        for (std::uint32_t i = 0; i < Chunk::kMostAhead && i < count_; ++i) prefetch_to_read(edges_ + samples_[i]);
    }

    /// At the loop's i-th sample.
    void at(std::uint32_t i) const {
        if (i + Chunk::kMostAhead < count_) prefetch_to_read(edges_ + samples_[i + Chunk::kMostAhead]);
    }

private:
    const WeightedEdge* edges_;
    const std::uint32_t* samples_;
    std::uint32_t count_;
};

struct EdgeEnds {
    using View = EdgesView;
    using Prefetch = EdgePrefetch;

    static constexpr std::array<Score, 2> kScores{
        {{"cut_value", Scored::kTraining}, {"cut_accuracy", Scored::kTraining, true, 0, 1}}};
    static constexpr bool kHoldsOut = false;
    static constexpr bool kOnGpu = true;
    static constexpr bool kHalves = false;
    static constexpr bool kShrinksAll = false;
    static constexpr bool kRegularised = false;
    static constexpr bool kProjects = true; // onto the simplex: increments of several workers do not add up
    static constexpr bool kConvex = true;
    static constexpr double kUsualL2 = 0;
    static constexpr std::array<Parameter, 0> kParameters{};

    static std::uint64_t coordinates(const EdgesView& data, const ModelChoice&) {
        return std::uint64_t{data.free} * data.width();
    }
    static EdgesView bound(const EdgesView& data, const ModelChoice&) { return data; }

    /// Every free node belongs to all classes alike.
    static float initial(const EdgesView& data, std::uint64_t, std::uint32_t) {
        return 1.0f / static_cast<float>(data.classes);
    }

    template <class Problem, class Lanes>
    class Step {
    public:
        Step(const EdgesView& data, const Chunk& chunk)
            : data_(data), chunk_(chunk), half_(static_cast<float>(0.5 * chunk.step / data.mean)) {}

        EdgeOfNodes sample(std::uint32_t i) const { return data_.row(i); }

        bool read(const EdgeOfNodes& edge) {
            if (edge.width > 1) return rows_.template read<Problem, Lanes>(edge, chunk_.weights, half_);
            two_ = pulled<Problem>(edge, chunk_.weights, half_);
            return true;
        }

        template <class Update>
        void write(const Update& update, const EdgeOfNodes& edge) {
            if (edge.width > 1) return rows_.write(update, edge, chunk_.weights);
            push(update, edge, chunk_.weights, two_, &nowhere_);
        }

        void next() {}

        /// All of the chunk's steps.
        template <class Update>
        void run(const Update& update, const Prefetch& prefetch) {
            if (data_.width() == 1)
                run_two(update, prefetch);
            else
                run_rows(update, prefetch);
        }

    private:
        template <class Update>
        void run_two(const Update& update, const Prefetch& prefetch) const {
            const EdgesView data = data_;
            const Chunk chunk = chunk_;
            const float half = half_;
            float nowhere = 0;
            for (std::uint32_t i = 0; i < chunk.count;) {
                if constexpr (StepsAbreast<Update, Lanes>) {
                    if (is_sixteen(data, chunk, i)) {
                        prefetch_to_read(data.edges + chunk.samples[i] + 2 * Chunk::kMostAhead);
                        step_abreast<Problem, Lanes>(update, data, chunk.samples[i], chunk.weights, half);
                        i += kAbreast;
                        continue;
                    }
                }
                prefetch.at(i);
                const EdgeOfNodes edge = data.row(chunk.samples[i]);
                push(update, edge, chunk.weights, pulled<Problem>(edge, chunk.weights, half), &nowhere);
                ++i;
            }
        }

        template <class Update>
        void run_rows(const Update& update, const Prefetch& prefetch) {
            for (std::uint32_t i = 0; i < chunk_.count; ++i) {
                prefetch.at(i);
                const EdgeOfNodes edge = data_.row(chunk_.samples[i]);
                if (rows_.template read<Problem, Lanes>(edge, chunk_.weights, half_))
                    rows_.write(update, edge, chunk_.weights);
            }
        }

        const EdgesView& data_;
        const Chunk& chunk_;
        float half_; // of the step, per weight
        float nowhere_ = 0;
        PulledEnds two_;
        PulledRows rows_; // not initialised: a step writes what it reads
    };

    /// A sample emits its gradient at u; that at v is its opposite.
    static std::uint32_t emission(const EdgesView& data) { return data.width(); }

    template <class Problem, class Lanes>
    static void emit(const EdgesView& data, const BatchEmit& batch) {
        const float half = 0.5f / data.mean;
        float x[EdgesView::kMostClasses], y[EdgesView::kMostClasses];
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const EdgeOfNodes edge = data.row(batch.samples[i]);
            float* const out = batch.emitted + std::size_t{i} * edge.width;
            const float most = half * edge.weight;
            if (edge.width == 1) {
                *out = most * Problem::slope(end_of_two(batch.weights, edge.u, edge.free) -
                                             end_of_two(batch.weights, edge.v, edge.free));
                continue;
            }
            read_end(edge, edge.u, batch.weights, x);
            read_end(edge, edge.v, batch.weights, y);
            for (std::uint32_t k = 0; k < edge.width; ++k) out[k] = most * Problem::slope(x[k] - y[k]);
        }
    }

    /// The sum of the batch's gradients, then the projection of what they moved.
    template <class Lanes>
    static void apply(const EdgesView& data, const BatchApply& batch) {
        const std::uint32_t end = batch.bounds[batch.owner + 1] < data.free ? batch.bounds[batch.owner + 1] : data.free;
        const auto owns = [&](std::uint32_t node) { return node >= batch.bounds[batch.owner] && node < end; };
        const auto row = [&](const EdgeOfNodes& edge, std::uint32_t node) {
            return batch.weights + std::size_t{node} * edge.width;
        };
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const EdgeOfNodes edge = data.row(batch.samples[i]);
            const float* const by = batch.emitted + std::size_t{i} * edge.width;
            const auto add = [&](std::uint32_t node, float factor) {
                if (!owns(node)) return;
                float* const at = row(edge, node);
                if (edge.width == 1) return relaxed_store(*at, relaxed_load(*at) + factor * *by);
                Lanes::add_dense(at, by, edge.width, factor);
            };
            add(edge.u, batch.factor);
            add(edge.v, -batch.factor);
        }
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const EdgeOfNodes edge = data.row(batch.samples[i]);
            const auto project = [&](std::uint32_t node) {
                if (!owns(node)) return;
                float* const at = row(edge, node);
                if (edge.width == 1) return relaxed_store(*at, project_onto_segment(relaxed_load(*at)));
                float x[EdgesView::kMostClasses];
                read_end(edge, node, batch.weights, x);
                project_onto_simplex(x, edge.width);
                for (std::uint32_t k = 0; k < edge.width; ++k) relaxed_store(at[k], x[k]);
            };
            project(edge.u);
            project(edge.v);
        }
    }

    /// The mean loss of a few samples, with their share of what every cut costs, in double.
    template <class Problem>
    static double mean_loss(const EdgesView& data, const std::uint32_t* samples, std::uint32_t count,
                            const float* weights, float, float* = nullptr) {
        double sum = 0;
        float x[EdgesView::kMostClasses], y[EdgesView::kMostClasses];
        for (std::uint32_t i = 0; i < count; ++i) {
            const EdgeOfNodes edge = data.row(samples[i]);
            double value = 0;
            if (edge.width == 1) {
                value = 2 * Problem::value(double{end_of_two(weights, edge.u, edge.free)} -
                                           double{end_of_two(weights, edge.v, edge.free)});
            } else {
                read_end(edge, edge.u, weights, x);
                read_end(edge, edge.v, weights, y);
                for (std::uint32_t k = 0; k < edge.width; ++k) value += Problem::value(double{x[k]} - double{y[k]});
            }
            sum += 0.5 * double{edge.weight} * value;
        }
        if (count == 0) return 0;
        return (sum / count + data.constant / static_cast<double>(data.rows)) / double{data.mean};
    }
};

} // namespace hogwild
