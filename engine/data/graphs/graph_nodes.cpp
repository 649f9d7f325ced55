#include "engine/data/graphs/graph_nodes.h"

#include "engine/error.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace hogwild {
namespace {

/// A place of the whole text; places are in the order of the text.
struct Place {
    std::uint64_t line = 0, column = 0;

    auto operator<=>(const Place&) const = default;
};

struct PlacedNode {
    std::uint32_t node, of;
    Place place;
};

/// What all blocks say together.
struct Whole {
    std::optional<FlowHead> head;
    std::optional<Place> head_place, second_head, first_arc, first_listed;
    std::vector<PlacedNode> ends, terminals, known;
    std::uint64_t rows = 0;
    std::uint32_t most = 0, least = ~0u; // ids of edges
    Place most_place, least_place;
};

Whole whole_of(const std::vector<GraphBlock>& blocks) {
    Whole whole;
    std::uint64_t before = 0;
    for (const GraphBlock& block : blocks) {
        const auto placed = [&](const TextPlace& place) { return Place{before + place.line, place.column}; };
        const auto keep_first = [&](std::optional<Place>& first, const std::optional<TextPlace>& here) {
            if (!first && here) first = placed(*here);
        };
        const auto append = [&](std::vector<PlacedNode>& all, const std::vector<NodeLine>& lines) {
            for (const NodeLine& line : lines) all.push_back({line.node, line.of, placed(line.place)});
        };
        if (block.head) {
            if (whole.head) keep_first(whole.second_head, block.head->place);
            if (!whole.head) {
                whole.head = block.head;
                whole.head_place = placed(block.head->place);
            }
        }
        keep_first(whole.second_head, block.second_head);
        keep_first(whole.first_arc, block.first_arc);
        keep_first(whole.first_listed, block.first_listed);
        append(whole.ends, block.ends);
        append(whole.terminals, block.terminals);
        append(whole.known, block.known);
        if (block.rows > 0 && (whole.rows == 0 || block.most > whole.most)) {
            whole.most = block.most;
            whole.most_place = placed(block.most_place);
        }
        if (block.rows > 0 && block.least < whole.least) {
            whole.least = block.least;
            whole.least_place = placed(block.least_place);
        }
        whole.rows += block.rows;
        before += block.lines;
    }
    return whole;
}

class NodesOf {
public:
    NodesOf(const std::string& name, Whole whole, std::uint64_t max_array_bytes)
        : name_(name), whole_(std::move(whole)), max_array_bytes_(max_array_bytes) {}

    GraphNodes nodes() {
        if (!whole_.head && whole_.first_arc)
            refuse(*whole_.first_arc, "an arc without a p line", "'p max NODES ARCS' comes before nodes and arcs",
                   "add it, or write a list of edges 'U V WEIGHT' with terminals 't NODE CLASS'");
        return whole_.head ? of_flow() : of_list();
    }

private:
    [[noreturn]] void refuse(const Place& at, const std::string& what, const std::string& why,
                             const std::string& suggestion) const {
        throw Error(fmt::format("{}:{}:{}: {}", name_, at.line, at.column, what), why, suggestion);
    }

    /// `last`: the largest id.
    void check_size(std::uint64_t nodes, std::uint64_t last) const {
        constexpr std::uint64_t kBytes = 32; // of a node while a graph is put together
        if (nodes > max_array_bytes_ / kBytes) {
            throw Error(fmt::format("{} does not fit into memory", name_),
                        fmt::format("its {} nodes exceed the limit of {} bytes", nodes, max_array_bytes_),
                        "number nodes one after the other, or use a machine with more memory");
        }
        constexpr std::uint64_t kFew = 1 << 22, kNodesOfLine = 100;
        const std::uint64_t lines = whole_.rows + whole_.terminals.size() + whole_.known.size();
        if (nodes <= kFew || nodes / kNodesOfLine <= lines) return;
        throw Error(fmt::format("{} has nodes up to {}", name_, last),
                    fmt::format("every id takes memory, and {} lines name few of them", lines),
                    "number nodes one after the other");
    }

    GraphNodes of_flow() {
        const FlowHead& head = *whole_.head;
        if (whole_.second_head)
            refuse(*whole_.second_head, "a second p line", "a file holds one problem", "split the file");
        if (whole_.first_arc && *whole_.first_arc < *whole_.head_place)
            refuse(*whole_.first_arc, "an arc before the p line", "'p max NODES ARCS' comes first", "move it up");
        if (whole_.first_listed)
            refuse(*whole_.first_listed, "a line of a list of edges",
                   "the file has a p line, so edges are arcs 'a ...'", "write it one way or the other");
        const std::string says = fmt::format("its p line says {} nodes", head.nodes);
        const auto check_id = [&](std::uint32_t id, const Place& at) {
            if (id == 0) refuse(at, "node 0", "ids start at 1", "renumber the nodes");
            if (id > head.nodes)
                refuse(at, fmt::format("there is no node {}", id), says, "repair the id, or the p line");
        };
        if (whole_.rows > 0) {
            check_id(whole_.least, whole_.least_place);
            check_id(whole_.most, whole_.most_place);
        }
        if (whole_.rows != head.arcs) {
            throw Error(fmt::format("{} has {} arcs", name_, whole_.rows), fmt::format("its p line says {}", head.arcs),
                        "check that the file is complete");
        }
        const PlacedNode* ends[2] = {nullptr, nullptr};
        constexpr const char* kEnds[2] = {"source", "sink"};
        for (const PlacedNode& end : whole_.ends) {
            check_id(end.node, end.place);
            if (ends[end.of] != nullptr)
                refuse(end.place, fmt::format("a second {}", kEnds[end.of]), "a flow has one", "remove a line 'n'");
            if (ends[1 - end.of] != nullptr && ends[1 - end.of]->node == end.node)
                refuse(end.place, fmt::format("node {} is source and sink", end.node), "nothing would cut them apart",
                       "repair a line 'n'");
            ends[end.of] = &end;
        }
        for (int side = 0; side < 2; ++side) {
            if (ends[side] != nullptr) continue;
            throw Error(fmt::format("{} has no {}", name_, kEnds[side]),
                        fmt::format("no line is 'n ID {}'", side == 0 ? 's' : 't'), "add it");
        }
        check_size(head.nodes, head.nodes);
        GraphNodes nodes{true, 1, 0, 2, std::vector<std::uint32_t>(head.nodes, kFree), {}};
        nodes.number[ends[0]->node - 1] = 0;
        nodes.number[ends[1]->node - 1] = 1;
        settle(nodes);
        return nodes;
    }

    GraphNodes of_list() {
        if (whole_.rows == 0)
            throw Error(name_ + " holds no edge", "it is empty, or comments only",
                        "check that it is the file you mean");
        std::uint32_t least = whole_.least, most = whole_.most;
        for (const std::vector<PlacedNode>* lines : {&whole_.terminals, &whole_.known}) {
            for (const PlacedNode& line : *lines) {
                least = std::min(least, line.node);
                most = std::max(most, line.node);
            }
        }
        const std::uint32_t first = std::min(least, 1u);
        std::vector<std::uint32_t> classes;
        for (const PlacedNode& terminal : whole_.terminals) classes.push_back(terminal.of);
        std::sort(classes.begin(), classes.end());
        classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
        if (classes.size() < 2 || classes.size() > EdgesView::kMostClasses) {
            throw Error(fmt::format("{} has terminals of {} classes", name_, classes.size()),
                        fmt::format("a cut parts 2 to {}", EdgesView::kMostClasses),
                        "name terminals by lines 't NODE CLASS'");
        }
        const auto class_of = [&](const PlacedNode& line) {
            const auto at = std::lower_bound(classes.begin(), classes.end(), line.of);
            if (at == classes.end() || *at != line.of)
                refuse(line.place, fmt::format("class {} has no terminal", line.of), "no line 't' names it",
                       "repair the line, or add a terminal");
            return static_cast<std::uint32_t>(at - classes.begin());
        };
        check_size(std::uint64_t{most} - first + 1, most);
        GraphNodes nodes{false,
                         first,
                         0,
                         static_cast<std::uint32_t>(classes.size()),
                         std::vector<std::uint32_t>(std::size_t{most} - first + 1, kFree),
                         {}};
        for (const PlacedNode& line : whole_.terminals) {
            std::uint32_t& number = nodes.number[line.node - first];
            check_same(number, class_of(line), line);
            number = class_of(line);
        }
        std::vector<std::uint32_t> known(nodes.number.size(), kFree);
        for (const PlacedNode& line : whole_.known) {
            check_same(nodes.number[line.node - first], class_of(line), line);
            check_same(known[line.node - first], class_of(line), line);
            known[line.node - first] = class_of(line);
        }
        settle(nodes);
        for (std::size_t i = 0; i < known.size(); ++i) {
            if (known[i] != kFree && nodes.number[i] < nodes.free) nodes.known.push_back({nodes.number[i], known[i]});
        }
        return nodes;
    }

    void check_same(std::uint32_t before, std::uint32_t now, const PlacedNode& line) const {
        if (before == kFree || before == now) return;
        refuse(line.place, fmt::format("node {} has a second class, {}", line.node, line.of), "it can have one",
               "remove one of the lines");
    }

    /// From the classes of terminals to the numbers of all.
    static void settle(GraphNodes& nodes) {
        nodes.free = static_cast<std::uint32_t>(std::count(nodes.number.begin(), nodes.number.end(), kFree));
        std::uint32_t next = 0;
        for (std::uint32_t& number : nodes.number) number = number == kFree ? next++ : nodes.free + number;
    }

    static constexpr std::uint32_t kFree = ~0u;

    const std::string& name_;
    Whole whole_;
    std::uint64_t max_array_bytes_;
};

} // namespace

GraphNodes graph_nodes(const std::string& name, const std::vector<GraphBlock>& blocks, std::uint64_t max_array_bytes) {
    return NodesOf(name, whole_of(blocks), max_array_bytes).nodes();
}

} // namespace hogwild
