#include "engine/data/synthetic/synthetic_graph.h"

#include "engine/data/graphs/graph_builder.h"
#include "engine/data/synthetic/recipe_words.h"
#include "engine/data/text/memory_limit.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"
#include "engine/machine/parallel.h"
#include "kernels/numbers/random.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::string_view kGenerator = "hogwild graph 1: "; // changes whenever the bits of any recipe do
constexpr std::uint64_t kGrain = 1 << 14;                    // nodes of a block

constexpr recipe::Kind kKind{
    .whole = "a synthetic graph",
    .noun = "graph",
    .known =
        "known graphs: grid=WxH, grid=WxHxD, entities=K,mentions=M, abdomen, abdomen/N, dblife, dblife/N, tiny, and "
        "seed=",
    .examples = "try synthetic:grid=256x256"};

/// "WxH" or "WxHxD".
std::array<std::uint64_t, 3> sides_of(const recipe::Part& part) {
    std::array<std::uint64_t, 3> sides{1, 1, 1};
    std::string_view rest = part.value;
    std::size_t count = 0;
    for (bool more = true; more; ++count) {
        const std::size_t times = rest.find('x');
        if (count == sides.size()) kKind.refuse(fmt::format("'{}' has more than three sides", part.text));
        sides[count] = recipe::number<std::uint64_t>(part.key, rest.substr(0, times));
        more = times != std::string_view::npos;
        if (more) rest.remove_prefix(times + 1);
    }
    return sides;
}

SyntheticGraph of_grid(const std::array<std::uint64_t, 3>& grid) {
    SyntheticGraph recipe;
    recipe.grid = grid;
    return recipe;
}

SyntheticGraph dblife(std::uint64_t divisor) {
    SyntheticGraph recipe;
    recipe.entities = recipe::divided(18'167, divisor);
    recipe.mentions = recipe::divided(180'110, divisor);
    return recipe;
}

constexpr std::array kPresets = {
    recipe::Preset<SyntheticGraph>{.word = "abdomen",
                                   .of_part =
                                       [](std::uint64_t parts) {
                                           return of_grid({512, 512, recipe::divided(551, parts)});
                                       }},
    recipe::Preset<SyntheticGraph>{.word = "dblife", .of_part = dblife},
    recipe::Preset<SyntheticGraph>{.word = "tiny",
                                   .whole =
                                       [] {
                                           return of_grid({16, 16, 1});
                                       }},
};

using Key = recipe::Key<SyntheticGraph>;
constexpr std::array kKeys = {
    Key{"entities", &SyntheticGraph::entities},
    Key{"mentions", &SyntheticGraph::mentions},
    Key{"seed", &SyntheticGraph::seed},
};

std::uint64_t nodes_of(const SyntheticGraph& recipe) {
    if (recipe.entities > 0) return recipe.mentions;
    return recipe.grid[0] * recipe.grid[1] * recipe.grid[2];
}

void check(const SyntheticGraph& recipe, const std::string& name) {
    constexpr std::uint64_t kMostSide = 1 << 20, kMostNodes = std::uint64_t{1} << 31;
    for (const std::uint64_t side : recipe.grid) {
        if (side < 1 || side > kMostSide) kKind.refuse(fmt::format("{} has a side of {}", name, side));
    }
    const bool lists = recipe.entities > 0 || recipe.mentions > 0;
    const std::uint64_t most = lists ? recipe.mentions : kMostNodes;
    if (lists &&
        (recipe.entities < 2 || recipe.entities > EdgesView::kMostClasses || recipe.mentions < recipe.entities)) {
        throw Error(Failure::kUsage,
                    fmt::format("{} has {} mentions of {} entities", name, recipe.mentions, recipe.entities),
                    fmt::format("a graph has 2 to {} classes, and here a mention of each", EdgesView::kMostClasses),
                    "take fewer entities, such as synthetic:dblife/20");
    }
    const double nodes = lists ? static_cast<double>(most)
                               : static_cast<double>(recipe.grid[0]) * static_cast<double>(recipe.grid[1]) *
                                     static_cast<double>(recipe.grid[2]);
    constexpr double kPerNode = 4 * 2 * sizeof(WeightedEdge) + 32;
    if (nodes < static_cast<double>(kMostNodes) && nodes * kPerNode <= static_cast<double>(default_array_limit()))
        return;
    throw Error(Failure::kUsage, fmt::format("{} does not fit", name),
                fmt::format("{:.0f} nodes take {:.1f} GiB", nodes, nodes * kPerNode / 0x1p30),
                "generate a smaller graph");
}

/// Random numbers of one node.
class Draws {
public:
    Draws(const SyntheticGraph& recipe, std::uint64_t node)
        : words_(philox({static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(node >> 32), kStream, 0},
                        philox_key(recipe.seed))),
          more_(philox({static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(node >> 32), kStream, 1},
                       philox_key(recipe.seed))) {}

    /// The i-th number of 0 to bound - 1, i below 8.
    std::uint64_t operator()(unsigned i, std::uint64_t bound) const {
        return below(bound, std::uint64_t{i < 4 ? words_[i] : more_[i - 4]} << 32);
    }

private:
    static constexpr std::uint32_t kStream = 0x67726166; // sets these words apart from those of other uses of a seed
    PhiloxCounter words_, more_;
};

class Generator {
public:
    explicit Generator(const SyntheticGraph& recipe) : recipe_(recipe), free_(nodes_of(recipe)) {}

    GraphNodes nodes() const {
        GraphNodes nodes;
        nodes.first = 0;
        nodes.free = static_cast<std::uint32_t>(free_);
        nodes.classes = recipe_.entities > 0 ? static_cast<std::uint32_t>(recipe_.entities) : 2;
        nodes.number.resize(free_ + nodes.classes);
        std::iota(nodes.number.begin(), nodes.number.end(), 0u);
        for (std::uint32_t node = 0; node < nodes.free; ++node) nodes.known.push_back({node, class_of(node)});
        return nodes;
    }

    std::vector<GraphBlock> blocks() const {
        return parallel_map<GraphBlock>(free_, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
            GraphBlock block;
            block.edges = PageArray<WeightedEdge>(4 * (end - begin));
            for (std::uint64_t node = begin; node < end; ++node) {
                if (recipe_.entities > 0)
                    add_mention(block, node);
                else
                    add_place(block, node);
            }
            return block;
        });
    }

private:
    std::uint32_t class_of(std::uint64_t node) const {
        if (recipe_.entities > 0) return static_cast<std::uint32_t>(node % recipe_.entities);
        double distance = 0; // of a ball that half fills each dimension
        for (const std::uint64_t side : recipe_.grid) {
            const double at = (static_cast<double>(node % side) + 0.5) / static_cast<double>(side) - 0.5;
            distance += side > 1 ? at * at : 0;
            node /= side;
        }
        return distance <= 0.0625 ? 0 : 1;
    }

    static void add(GraphBlock& block, std::uint64_t u, std::uint64_t v, std::uint64_t weight) {
        block.edges[block.rows++] = {static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v),
                                     static_cast<float>(weight)};
    }

    void add_place(GraphBlock& block, std::uint64_t node) const {
        const Draws draw(recipe_, node);
        std::uint64_t stride = 1, rest = node;
        for (unsigned i = 0; i < 3; ++i) {
            const std::uint64_t side = recipe_.grid[i];
            if (rest % side + 1 < side) add(block, node, node + stride, 1 + draw(i, 3));
            rest /= side;
            stride *= side;
        }
        const auto seen = static_cast<std::int64_t>(draw(3, 19)) - 9 + (class_of(node) == 0 ? 4 : -4);
        const std::int64_t shown = std::clamp<std::int64_t>(seen, -10, 10);
        if (shown != 0) add(block, node, free_ + (shown > 0 ? 0 : 1), static_cast<std::uint64_t>(std::abs(shown)));
    }

    void add_mention(GraphBlock& block, std::uint64_t node) const {
        const Draws draw(recipe_, node);
        const std::uint64_t own = class_of(node), other = draw(1, recipe_.entities);
        add(block, node, free_ + (draw(0, 5) > 0 ? own : other), 1 + draw(2, 10));
        const std::uint64_t fellows = (free_ - own - 1) / recipe_.entities + 1;
        for (const unsigned i : {3u, 4u})
            add(block, node, own + recipe_.entities * draw(i, fellows), 3 + draw(i + 2, 8));
        add(block, node, draw(7, free_), 1 + draw(2, 3));
    }

    SyntheticGraph recipe_;
    std::uint64_t free_;
};

} // namespace

SyntheticGraph parse_synthetic_graph(const std::string& name, std::uint64_t seed) {
    const SyntheticGraph recipe =
        recipe::parse(name, seed, kKind, kPresets, kKeys, [](SyntheticGraph& of, const recipe::Part& part) {
            if (part.key != "grid") kKind.refuse_part(part);
            of.grid = sides_of(part);
        });
    check(recipe, name);
    return recipe;
}

std::string to_string(const SyntheticGraph& recipe) {
    return fmt::format("grid={}x{}x{},entities={},mentions={},seed={}", recipe.grid[0], recipe.grid[1], recipe.grid[2],
                       recipe.entities, recipe.mentions, recipe.seed);
}

Dataset generate(const SyntheticGraph& recipe, const std::string& name) {
    const Generator generator(recipe);
    auto arrays = build_graph(name, generator.nodes(), generator.blocks());
    const EdgesView view = arrays->view();
    return {name, content_hash(std::string(kGenerator) + to_string(recipe)), view, std::move(arrays)};
}

} // namespace hogwild
