#include "engine/record/cut_rounding.h"

#include "engine/machine/parallel.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace hogwild {
namespace {

constexpr std::uint64_t kNodes = 1 << 14; // of a task
constexpr std::uint64_t kEdges = 1 << 15; // of a block of a sum: part of its definition
constexpr std::uint16_t kThresholds = 256;

/// Classes of all free nodes, by of(node).
template <class Of>
std::vector<std::uint16_t> classes_by(const EdgesView& data, const Of& of) {
    std::vector<std::uint16_t> classes(data.free);
    parallel_for(data.free, kNodes, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t node = begin; node < end; ++node) classes[node] = of(node);
    });
    return classes;
}

/// How many thresholds a number exceeds.
std::uint16_t exceeded(float x) {
    const float scaled = x * kThresholds + 0.5f;
    return scaled > 0 ? static_cast<std::uint16_t>(std::min(scaled, float{kThresholds})) : std::uint16_t{0};
}

/// The first threshold of the smallest cut, given how many each node exceeds.
std::uint16_t best_threshold(const EdgesView& data, const std::vector<std::uint16_t>& counts) {
    using Changes = std::array<double, kThresholds + 1>; // of the cut's weight from one threshold to the next
    const auto of = [&](std::uint32_t node) {
        return node < data.free ? counts[node] : node == data.free ? kThresholds : std::uint16_t{0};
    };
    const auto blocks = parallel_map<Changes>(data.rows, kEdges, [&](std::uint64_t begin, std::uint64_t end) {
        Changes changes{};
        for (std::uint64_t i = begin; i < end; ++i) {
            const WeightedEdge& edge = data.edges[i];
            const auto [low, high] = std::minmax({of(edge.u), of(edge.v)});
            changes[low] += double{edge.weight};
            changes[high] -= double{edge.weight};
        }
        return changes;
    });
    double value = 0, least = std::numeric_limits<double>::infinity();
    std::uint16_t best = 0;
    for (std::uint16_t k = 0; k < kThresholds; ++k) {
        for (const Changes& changes : blocks) value += changes[k];
        if (value < least) {
            least = value;
            best = k;
        }
    }
    return best;
}

RoundedCut round_two(const EdgesView& data, const float* weights) {
    RoundedCut cut;
    cut.classes = classes_by(data, [&](std::uint64_t node) { return exceeded(weights[node]); });
    const std::uint16_t best = best_threshold(data, cut.classes);
    for (std::uint16_t& each : cut.classes) each = each > best ? 0 : 1;
    cut.value = cut_value(data, cut.classes);
    return cut;
}

RoundedCut round_many(const EdgesView& data, const float* weights) {
    const auto row = [&](std::uint64_t node) { return weights + node * data.classes; };
    RoundedCut best;
    best.classes = classes_by(data, [&](std::uint64_t node) {
        return static_cast<std::uint16_t>(std::max_element(row(node), row(node) + data.classes) - row(node));
    });
    best.value = cut_value(data, best.classes);
    for (const float threshold : {1.0f / 3, 2.0f / 3}) {
        RoundedCut other;
        other.classes = classes_by(data, [&](std::uint64_t node) {
            const float* const last = row(node) + data.classes - 1;
            const auto reaches = [=](float x) { return x >= threshold; };
            return static_cast<std::uint16_t>(std::find_if(row(node), last, reaches) - row(node));
        });
        other.value = cut_value(data, other.classes);
        if (other.value < best.value) best = std::move(other);
    }
    return best;
}

} // namespace

RoundedCut round_cut(const EdgesView& data, const float* weights) {
    return data.classes == 2 ? round_two(data, weights) : round_many(data, weights);
}

double cut_value(const EdgesView& data, std::span<const std::uint16_t> classes) {
    const auto of = [&](std::uint32_t node) { return node < data.free ? classes[node] : node - data.free; };
    const auto blocks = parallel_map<double>(data.rows, kEdges, [&](std::uint64_t begin, std::uint64_t end) {
        double sum = 0;
        for (std::uint64_t i = begin; i < end; ++i) {
            const WeightedEdge& edge = data.edges[i];
            sum += of(edge.u) != of(edge.v) ? double{edge.weight} : 0;
        }
        return sum;
    });
    double value = data.constant;
    for (const double block : blocks) value += block;
    return value;
}

double cut_accuracy(const EdgesView& data, std::span<const std::uint16_t> classes) {
    if (data.known_count == 0) return std::numeric_limits<double>::quiet_NaN();
    const auto right = std::count_if(data.known, data.known + data.known_count,
                                     [&](const NodeClass& known) { return classes[known.node] == known.is; });
    return static_cast<double>(right) / static_cast<double>(data.known_count);
}

} // namespace hogwild
