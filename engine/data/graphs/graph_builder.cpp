#include "engine/data/graphs/graph_builder.h"

#include "engine/error.h"
#include "engine/machine/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace hogwild {
namespace {

constexpr std::uint64_t kGrain = 1 << 14; // nodes of a task

/// A pair of a flow whose two capacities differ: half their difference times x_low - x_high.
struct Slant {
    std::uint32_t low, high;
    double half;
};

/// A node's edges with source and sink.
struct Pull {
    double source = 0, sink = 0;
};

class GraphBuilder {
public:
    GraphBuilder(const std::string& name, const GraphNodes& nodes, std::vector<GraphBlock>& blocks)
        : name_(name), nodes_(nodes), places_(std::size_t{nodes.free} + nodes.classes + 1) {
        collect(blocks);
    }

    std::shared_ptr<GraphArrays> build() {
        const std::vector<Merged> parts = parallel_map<Merged>(
            places_.size() - 1, kGrain, [&](std::uint64_t begin, std::uint64_t end) { return merge(begin, end); });
        auto arrays = std::make_shared<GraphArrays>();
        arrays->free = nodes_.free;
        arrays->classes = nodes_.classes;
        if (nodes_.flow) pull(parts, *arrays);
        write(*arrays);
        arrays->known = PageArray<NodeClass>(nodes_.known.size());
        std::copy(nodes_.known.begin(), nodes_.known.end(), arrays->known.data());
        return arrays;
    }

private:
    struct Merged {
        std::vector<Slant> slants;
        double constant = 0;
    };

    /// All edges by their lower node, in the order of the text.
    void collect(std::vector<GraphBlock>& blocks) {
        const auto visit = [&](const GraphBlock& block, const auto& take) {
            for (std::uint64_t i = 0; i < block.rows; ++i) {
                const WeightedEdge& edge = block.edges[i];
                const WeightedEdge own{nodes_.of(edge.u), nodes_.of(edge.v), edge.weight};
                if (own.u != own.v && own.weight > 0) take(own);
            }
        };
        for (const GraphBlock& block : blocks)
            visit(block, [&](const WeightedEdge& edge) { ++places_[std::min(edge.u, edge.v) + 1]; });
        std::partial_sum(places_.begin(), places_.end(), places_.begin());
        edges_ = PageArray<WeightedEdge>(places_.back());
        std::vector<std::uint64_t> next(places_.begin(), places_.end() - 1);
        for (GraphBlock& block : blocks) {
            const GraphBlock taken = std::move(block); // freed at the end of this turn
            visit(taken, [&](const WeightedEdge& edge) { edges_[next[std::min(edge.u, edge.v)]++] = edge; });
        }
        kept_ = std::vector<std::uint64_t>(places_.size());
        if (nodes_.flow) pulls_ = std::vector<Pull>(nodes_.free);
    }

    /// Edges of each pair become one, in place; kept_[node + 1] says how many that leaves.
    Merged merge(std::uint64_t begin, std::uint64_t end) {
        Merged merged;
        for (auto low = static_cast<std::uint32_t>(begin); low < end; ++low) {
            WeightedEdge* const first = edges_.data() + places_[low];
            WeightedEdge* const last = edges_.data() + places_[low + 1];
            WeightedEdge* out = first;
            std::stable_sort(first, last, [](const WeightedEdge& a, const WeightedEdge& b) {
                return std::max(a.u, a.v) < std::max(b.u, b.v);
            });
            for (const WeightedEdge* at = first; at != last;) {
                const std::uint32_t high = std::max(at->u, at->v);
                double there = 0, back = 0;
                for (; at != last && std::max(at->u, at->v) == high; ++at)
                    (at->u == low ? there : back) += double{at->weight};
                const double weight = nodes_.flow ? of_flow(merged, low, high, there, back) : there + back;
                if (weight > 0) *out++ = {low, high, rounded(weight)};
            }
            kept_[low + 1] = static_cast<std::uint64_t>(out - first);
        }
        return merged;
    }

    /// What is left of a pair that is no constant and no edge with a terminal.
    double of_flow(Merged& merged, std::uint32_t low, std::uint32_t high, double there, double back) {
        const std::uint32_t source = nodes_.free;
        if (low >= source) {
            merged.constant += there; // source to sink
            return 0;
        }
        if (high >= source) {
            if (high == source)
                pulls_[low].source += back;
            else
                pulls_[low].sink += there;
            return 0;
        }
        if (there != back) merged.slants.push_back({low, high, (there - back) / 2});
        return (there + back) / 2;
    }

    /// Gives each node what is left of its edges with the terminals.
    void pull(const std::vector<Merged>& parts, GraphArrays& arrays) {
        std::vector<double> linear;
        for (const Merged& part : parts) {
            arrays.constant += part.constant;
            if (!part.slants.empty()) linear.resize(nodes_.free);
            for (const Slant& slant : part.slants) {
                linear[slant.low] += slant.half;
                linear[slant.high] -= slant.half;
            }
        }
        for (std::uint32_t node = 0; node < nodes_.free; ++node) {
            Pull& own = pulls_[node];
            if (!linear.empty()) {
                const double slope = linear[node]; // slope x, or |slope| (1 - x) - |slope|
                (slope > 0 ? own.sink : own.source) += std::abs(slope);
                arrays.constant -= slope < 0 ? -slope : 0;
            }
            const double both = std::min(own.source, own.sink);
            own.source -= both;
            own.sink -= both;
            arrays.constant += both;
        }
    }

    void write(GraphArrays& arrays) {
        const auto pulled = [&](std::uint32_t node) {
            return node < pulls_.size() && (pulls_[node].source > 0 || pulls_[node].sink > 0);
        };
        for (std::uint32_t node = 0; node + 1 < kept_.size(); ++node) {
            const std::uint64_t extra = pulled(node) ? 1 : 0;
            kept_[node + 1] += kept_[node] + extra;
        }
        if (kept_.back() == 0)
            throw Error(name_ + " holds no edge that a cut could spare", "all cuts cost the same",
                        "check that it is the file you mean");
        arrays.edges = PageArray<WeightedEdge>(kept_.back());
        parallel_for(kept_.size() - 1, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
            for (auto node = static_cast<std::uint32_t>(begin); node < end; ++node) {
                WeightedEdge* out = arrays.edges.data() + kept_[node];
                const std::uint64_t own = kept_[node + 1] - kept_[node] - (pulled(node) ? 1 : 0);
                out = std::copy_n(edges_.data() + places_[node], own, out);
                if (!pulled(node)) continue;
                const Pull& pull = pulls_[node];
                *out = {node, nodes_.free + (pull.source > 0 ? 0u : 1u),
                        rounded(pull.source > 0 ? pull.source : pull.sink)};
            }
        });
    }

    float rounded(double weight) const {
        const auto single = static_cast<float>(weight);
        if (std::isfinite(single)) return single;
        throw Error(name_ + ": the weights of an edge add up to more than 3.4e38", "they are kept as floats",
                    "rescale all of them");
    }

    const std::string& name_;
    const GraphNodes& nodes_;
    std::vector<std::uint64_t> places_; // of a lower node's edges, one more than nodes
    PageArray<WeightedEdge> edges_;
    std::vector<std::uint64_t> kept_;
    std::vector<Pull> pulls_; // of a flow's free nodes
};

} // namespace

std::shared_ptr<GraphArrays> build_graph(const std::string& name, const GraphNodes& nodes,
                                         std::vector<GraphBlock> blocks) {
    return GraphBuilder(name, nodes, blocks).build();
}

} // namespace hogwild
