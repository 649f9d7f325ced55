#include "engine/data/graphs/graph.h"

#include "engine/error.h"
#include "engine/machine/parallel.h"
#include "engine/record/cut_rounding.h"
#include "tests/engine/data/compress.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

namespace hogwild {
namespace {

std::string complaint(const std::string& text, const TextLimits& limits = {}) {
    try {
        read_graph(text, "file.txt", limits);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kError);
        return error.what();
    }
    return "accepted";
}

/// Free nodes/classes, then every edge, then known classes, then the constant if there is one.
std::string normal_form(const std::string& text, const TextLimits& limits = {}) {
    const GraphData data = read_graph(text, "file.txt", limits);
    const EdgesView view = data.arrays->view();
    std::string written = fmt::format("{}/{}", view.free, view.classes);
    for (std::uint64_t i = 0; i < view.rows; ++i)
        written += fmt::format(" {}-{}:{}", view.edges[i].u, view.edges[i].v, view.edges[i].weight);
    for (std::uint64_t i = 0; i < view.known_count; ++i)
        written += fmt::format(" {}={}", view.known[i].node, view.known[i].is);
    return view.constant == 0 ? written : written + fmt::format(" +{}", view.constant);
}

const std::string kFlow = "p max 4 3\nn 1 s\nn 4 t\n";

TEST_CASE("every accepted way of writing the same list of edges reads the same") {
    for (const char* text : {
             "1 2\n2 3 0.5\n3 4\nt 1 0\nt 4 1\n",
             "t 1 7\nt 4 9\n1\t2\t1\n2\t3\t.5\n3\t4\n", // classes by their order
             "1,2\n2,3,5e-1\n3,4\nt 1 0\nt 4,1\n", "1; 2; 1\n2 ;3; 0.5\n3;4\nt 1 0\nt 4 1\n",
             "# head\n% x\nc y\n\n  2 1\r\n 3 2 0.5\r\n4 3\r\nt 1 0\r\nt 4 1", // no final newline
             "\xEF\xBB\xBF"
             "1 2\n2 3 0.5\n3 4\nt 1 0\nt 4 1\n",                           // byte order mark
             "0 1\n1 2 0.5\n2 3\nt 0 0\nt 3 1\n",                           // from 0
             "1 2 0.25\n2 3 0.25\n2 1 0.75\n3 2 0.25\n3 4\nt 1 0\nt 4 1\n", // pairs add up
             "1 2\n2 3 0.5\n3 4\n2 2 5\n1 4 0\nt 1 0\nt 4 1\n",             // nothing that a cut could cut
         }) {
        CAPTURE(text);
        const std::string read = normal_form(text);
        CHECK(read == "2/2 0-1:0.5 0-2:1 1-3:1");
    }
}

TEST_CASE("a head of a list is no edge, and is said, or what looks like one is said") {
    const auto note = [](const std::string& text) { return read_graph(text, "file.txt").note; };
    const std::string ends = "t 1 0\nt 4 1\n", edges = "1 2\n2 3 0.5\n3 4\n", weighted = "1 2 1\n2 3 0.5\n3 4 1\n";
    for (const std::string head : {"4 3\n", "# x\n4 3\n", "5 3\n", "4,3\n", "4 4 3\n"}) {
        for (const std::string& list : {edges, weighted}) {
            CAPTURE(head + list);
            CHECK(normal_form(head + list + ends) == normal_form(list + ends));
            CHECK(note(head + list + ends).find(", is taken for a head: nodes up to ") != std::string::npos);
        }
    }
    CHECK(note("4 3\n" + edges + ends) == "the first line, '4 3', is taken for a head: nodes up to 4, and 3 edges");
    CHECK(normal_form("4 3\n0 1\n1 2 0.5\n2 3\nt 0 0\nt 3 1\n") == normal_form(edges + ends)); // from 0
    TextLimits small;
    small.block_bytes = 4;
    CHECK(normal_form("4 3\n" + edges + ends, small) == normal_form(edges + ends));

    CHECK(note("4 2\n" + weighted + ends) == "the first line, '4 2', is read as an edge, though it looks like a head: "
                                             "3 edges follow, of nodes up to 4; if it is "
                                             "one, repair or remove it");
    CHECK(note("4 5\n1 2\n2 3\n3 4\n" + ends).find("is read as an edge") != std::string::npos);
    CHECK(note(edges + ends).empty());
    CHECK(note(weighted + ends).empty());
    for (const std::uint64_t bytes : {TextLimits{}.block_bytes, std::uint64_t{4}}) { // behind other lines
        small.block_bytes = bytes;
        CHECK(read_graph(ends + "4 3\n" + edges, "file.txt", small).note ==
              "the first edge, '4 3', is taken for a head: nodes up to 4, and 3 edges");
        CHECK(normal_form(ends + "4 3\n" + edges, small) == normal_form(edges + ends));
    }
    for (const char* head : {"3 4\n", "3 3\n"}) { // the other way round, and one node less than there are
        CHECK(note(head + edges + ends).starts_with(fmt::format("the first line, '{:.3}', is read as an edge", head)));
        CHECK(note(ends + head + edges).starts_with(fmt::format("the first edge, '{:.3}', is read as an edge", head)));
    }
    CHECK(note("4 2\n1 2\n2 1\n3 4\n4 3\n" + ends).find("4 edges follow") != std::string::npos); // both directions
    CHECK(note("p max 4 3\nn 1 s\nn 4 t\na 1 2 3\na 2 3 4\na 3 4 5\n").empty());
}

TEST_CASE("the head of METIS is refused, with its lines of neighbours or before a list of edges") {
    const std::string ends = "t 1 0\nt 3 1\n",
                      why = "; here a line is an edge, not a node's neighbours); write a line 'U V' or "
                            "'U V WEIGHT' for each edge, and no head; if this is an edge, put it "
                            "behind another one";
    const auto check = [&](const std::string& head, const std::string& says, const std::string& list) {
        for (const std::uint64_t bytes : {TextLimits{}.block_bytes, std::uint64_t{4}}) {
            TextLimits limits;
            limits.block_bytes = bytes;
            CAPTURE(head + list);
            const std::string what =
                fmt::format("'{}' looks like the head of a METIS file (that is of {}{}", head, says, why);
            CHECK(complaint(head + "\n" + list + ends, limits) == "file.txt:1:1: " + what);
            CHECK(complaint("% x\n" + ends + " " + head + "\n" + list, limits) == "file.txt:4:2: " + what);
        }
    };
    check("3 2 011", "3 nodes and 2 edges, with a format", "1 2 1\n2 3 1\n");
    check("9 7 011", "9 nodes and 7 edges, with a format", "1 2 5\n2 3 2\n"); // whatever follows
    check("3 2 001", "3 nodes and 2 edges, with a format", "1 2\n2 3\n");
    for (const char* list : {"1 2 1\n2 3 1\n3 4 1\n", "1 2\n2 3\n3 4\n"})
        check("4 3 1", "4 nodes and 3 edges, with a format", list);
    check("4 3 10", "4 nodes and 3 edges, with a format", "1 2 5\n2 3 5\n3 4 5\n");
    check("4 4", "4 nodes and 4 edges", "2 4\n1 3\n2 4\n1 3\n");
    check("4 4 0", "4 nodes and 4 edges, with a format", "2 4\n1 3\n2 4\n1 3\n");
    check("4 6", "4 nodes and 6 edges", "2 3 4\n1 3 4\n1 2 4\n1 2 3\n");
    check("4 5", "4 nodes and 5 edges", "2 3 4\n1 3\n1 2 4\n1 3\n");
    check("5 6", "5 nodes and 6 edges", "2 3\n1 3 4\n1 2 5\n2 5\n3 4\n");
}

TEST_CASE("an edge whose numbers are no head of METIS is one, and one whose numbers are is behind another") {
    const std::string ends = "t 1 0\nt 4 1\n";
    for (const char* list : {"4 4\n2 3\n3 4\n4 1\n1 2\n",   // no neighbour names the other
                             "1 2 010\n2 3 011\n3 4 001\n", // all weights are padded
                             "1 2 1\n2 3 1\n3 4 1\n", "4 3 2\n1 2 1\n2 3 1\n3 4 1\n", "4 2 1\n1 2 1\n2 3 1\n3 4 1\n",
                             "1 2 1\n4 3 1\n2 3 1\n3 1 1\n", "1 2 0.5\n2 3 0\n3 4 0.25\n"}) {
        CAPTURE(list);
        CHECK(complaint(list + ends) == "accepted");
    }
}

TEST_CASE("a line of more than three nodes is refused as what may be METIS's") {
    CHECK(complaint("7 11\n5 3 2\n1 3 4\n5 4 2 1\n") ==
          "file.txt:4:7: '1' behind the weight (an edge is 'U V' or 'U V WEIGHT'); remove the rest of the line, or, if "
          "lines list the neighbours of a node, as those of METIS do, write a line 'U V' for each edge");
}

TEST_CASE("a comment that says another number of edges than there are is said") {
    const auto note = [](const std::string& text, std::uint64_t bytes = TextLimits{}.block_bytes) {
        TextLimits limits;
        limits.block_bytes = bytes;
        return read_graph(text, "file.txt", limits).note;
    };
    const std::string edges = "1\t2\n2\t3\n3\t4\n", ends = "t 1 0\nt 4 1\n", x = "# Directed graph\n";
    for (const std::string said : {"3", "3 ", "3\r"})
        CHECK(note(x + "# Nodes: 4 Edges: " + said + "\n" + edges + ends).empty());
    for (const std::uint64_t bytes : {TextLimits{}.block_bytes, std::uint64_t{4}}) {
        CHECK(note(x + "# Nodes: 4 Edges: 5\n" + edges + ends, bytes) ==
              "line 2 says that there are 5 edges, and there are 3: check that the file is complete");
        CHECK(note(x + edges + ends + "% nodes:4, edges:2\n", bytes).starts_with("line 7 says that there are 2 edges"));
    }
    CHECK(note("# Nodes: 2 Edges: 1\n1 4\n4 1\n" + ends).empty()); // both directions
    CHECK(note("# Edges: 7\n# Nodes: many Edges: 7\n# edges 7\n" + edges + ends).empty());
}

TEST_CASE("a matrix is no list of edges: its size line never becomes one") {
    for (const char* banner :
         {"%%MatrixMarket matrix coordinate pattern symmetric\n", "%MatrixMarket matrix coordinate real general\n",
          "# Matrix Market\n", "% matrix coordinate real general\n"}) {
        CAPTURE(banner);
        CHECK(complaint(std::string(banner) + "4 4 3\n1 2\n2 3\n3 4\nt 1 0\nt 4 1\n")
                  .starts_with("file.txt:1:1: this is the banner of a matrix, not of a graph ("));
    }
    CHECK(complaint("% edges of a matrix\n1 2\n2 3\n3 4\nt 1 0\nt 4 1\n") == "accepted");
}

TEST_CASE("terminals of a class are one node, known classes are those of free nodes") {
    CHECK(normal_form("1 2\n1 3\n1 4 2\n4 5\nt 2 5\nt 3 5\nt 4 8\nt 5 6\nl 1 8\nl 2 5\nl 1 8\n") ==
          "1/3 0-1:2 0-3:2 2-3:1 0=2");
}

TEST_CASE("a node that a line t or l names needs no edge, and nodes between are nodes") {
    const GraphData graph = read_graph("1 2\nt 1 0\nt 5 1\nl 4 1\n", "file.txt");
    const EdgesView view = graph.arrays->view();
    CHECK(view.free == 3); // 2, 3 and 4
    CHECK(view.rows == 1);
    REQUIRE(view.known_count == 1);
    CHECK(view.known[0].node == 2);
}

TEST_CASE("every accepted way of writing the same flow reads the same") {
    for (const char* body : {
             "a 1 2 3\na 2 3 4\na 3 2 4\na 3 4 5\n",
             "a 3 4 5\na 1 2 1\na 1 2 2\na 2 3 4\na 3 2 4\n",          // arcs of a pair add up
             "a 1 2 3\na 2 3 4\na 3 2 4\na 3 4 5\na 2 1 9\na 4 3 9\n", // into the source, out of the sink
             "c x\na 1 2 3.0\r\na 2 3 4\na 3 2 4\na 3 4 5\na 2 2 7",
         }) {
        CAPTURE(body);
        const std::string text = body;
        const auto arcs = text.find("a 2 1") != std::string::npos                              ? 6
                          : text.find("a 2 2") != std::string::npos || text.starts_with("a 3") ? 5
                                                                                               : 4;
        CHECK(normal_form(fmt::format("p max 4 {}\nn 1 s\nn 4 t\n", arcs) + body) == "2/2 0-1:4 0-2:3 1-3:5");
    }
    // What every cut pays: the arc from source to sink, and the smaller of a node's two.
    CHECK(normal_form("p max 3 3\nn 1 s\nn 3 t\na 1 3 2\na 1 2 7\na 2 3 4\n") == "1/2 0-1:3 +6");
}

TEST_CASE("a cut of the edges plus the constant is the cut of the arcs, whatever their directions") {
    constexpr std::uint32_t kNodes = 8; // with source 3 and sink 6
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        TestNumbers numbers(seed);
        struct Arc {
            std::uint32_t from, to;
            double capacity;
        };
        std::vector<Arc> arcs;
        std::string body;
        for (int i = 0; i < 25; ++i) {
            arcs.push_back({numbers.bits() % kNodes + 1, numbers.bits() % kNodes + 1, double(numbers.bits() % 10)});
            body += fmt::format("a {} {} {}\n", arcs.back().from, arcs.back().to, arcs.back().capacity);
        }
        const GraphData data = read_graph("p max 8 25\nn 3 s\nn 6 t\n" + body, "f");
        const EdgesView view = data.arrays->view();
        REQUIRE(view.free == kNodes - 2);
        for (unsigned side = 0; side < 1u << view.free; ++side) { // a bit for each node of the sink's side
            std::vector<std::uint16_t> classes(view.free), of(kNodes + 1);
            for (std::uint32_t id = 1, next = 0; id <= kNodes; ++id) {
                if (id == 3 || id == 6) {
                    of[id] = id == 6;
                } else {
                    of[id] = classes[next] = side >> next & 1;
                    ++next;
                }
            }
            double expected = 0;
            for (const Arc& arc : arcs) expected += of[arc.from] == 0 && of[arc.to] == 1 ? arc.capacity : 0;
            CHECK(cut_value(view, classes) == expected);
        }
    }
}

TEST_CASE("what is wrong with a line is refused at its line and column, with a reason and a way out") {
    const auto check = [](const std::string& text, const std::string& expected) {
        CAPTURE(text);
        CHECK(complaint(text) == expected);
        // The same fault behind a hundred good lines, cut into many blocks.
        std::string before;
        for (int i = 0; i < 100; ++i) before += "c\n";
        TextLimits small;
        small.block_bytes = 32;
        CHECK(complaint(before + text, small) == "file.txt:101" + expected.substr(std::string("file.txt:1").size()));
    };
    check("1 2 nan\n", "file.txt:1:5: weight 'nan' (it is a finite number); remove or repair the line");
    check("1 2 -inf\n", "file.txt:1:5: weight '-inf' (it is a finite number); remove or repair the line");
    check("1 2 1e60\n",
          "file.txt:1:5: weight '1e60' (it is larger than the largest float, 3.4e38); rescale all of them");
    check("1 2 -3\n", "file.txt:1:5: negative weight '-3' (cutting cannot pay); remove the line, or repair it");
    check("1 2 x\n", "file.txt:1:5: weight 'x' is no number (it is a decimal number such as 3.5); repair the line");
    check("1\n", "file.txt:1:2: the line ends too early (an edge is 'U V' or 'U V WEIGHT'); complete the line, or "
                 "remove it");
    check("1 -2\n", "file.txt:1:3: negative node '-2' (an edge is 'U V' or 'U V WEIGHT'); renumber them");
    check("-1 2\n", "file.txt:1:1: negative node '-1' (an edge is 'U V' or 'U V WEIGHT'); renumber them");
    check("4294967297 2\n", "file.txt:1:1: node '4294967297' is too large (the largest is 4294967294); number nodes "
                            "and classes one after the other");
    check("1 2.5\n", "file.txt:1:3: node '2.5' is no whole number (an edge is 'U V' or 'U V WEIGHT'); repair the "
                     "line, or put '#' before a comment");
    check("1 \x01\n", "file.txt:1:3: node '\\x01' is no number (it looks like no text, and not like gzip, bzip2, xz "
                      "or zstd); copy the file again, or repair the line");
    check("x 1 2\n", "file.txt:1:1: a line begins with 'x' (lines of a graph begin with a node, or with c, p, n, a, "
                     "t or l); repair the line, or put '#' before a comment");
    check("a 1 2\n", "file.txt:1:6: the arc has no capacity (an arc is 'a FROM TO CAPACITY'); complete the line, or "
                     "remove it");
    check("a 1 2 -1\n", "file.txt:1:7: negative capacity '-1' (cutting cannot pay); remove the line, or repair it");
    check("a 1 2 3\n", "file.txt:1:1: an arc without a p line ('p max NODES ARCS' comes before nodes and arcs); add "
                       "it, or write a list of edges 'U V WEIGHT' with terminals 't NODE CLASS'");
    check("n 1 x\n", "file.txt:1:5: 'x' is neither source nor sink (it is 'n ID s' for the source, 'n ID t' for the "
                     "sink); repair the line");
    check("p min 4 5\n", "file.txt:1:3: this is no p line of a maximum flow (it is 'p max NODES ARCS'); use a DIMACS "
                         "file of that problem");
    check("p max 4\n", "file.txt:1:8: number of arcs '' is no whole number (it is 'p max NODES ARCS'); repair the "
                       "line, or put '#' before a comment");
    check("t 1\n", "file.txt:1:4: the line ends too early (it is 't NODE CLASS' or 'l NODE CLASS', both whole "
                   "numbers); complete the line, or remove it");
}

TEST_CASE("what follows the last field of a line is refused, never dropped") {
    const auto check = [](const std::string& text, const std::string& expected) {
        CAPTURE(text);
        CHECK(complaint(text + "\n") == "file.txt:" + expected);
    };
    const std::string edge = "an edge is 'U V' or 'U V WEIGHT'", arc = "an arc is 'a FROM TO CAPACITY'",
                      point = "write a decimal point, as in 3.5, or remove the rest of the line",
                      remove = "remove the rest of the line";
    check("2 3 0,25", "1:5: a comma behind weight '0' (the line ends there: " + edge + "); " + point);
    check("1 2 3,5", "1:5: a comma behind weight '3' (the line ends there: " + edge + "); " + point);
    check("1,2,3,5", "1:5: a comma behind weight '3' (the line ends there: " + edge + "); " + point);
    check("a 1 2 3,9", "1:7: a comma behind capacity '3' (the line ends there: " + arc + "); " + point);
    check("1 2 3 junk", "1:7: 'junk' behind the weight (" + edge + "); " + remove);
    check("1;2;3;4", "1:6: ';4' behind the weight (" + edge + "); " + remove);
    check("a 1 2 3 4 5\r", "1:9: '4 5' behind the capacity (" + arc + "); " + remove);
    check("n 1 s q", "1:7: 'q' behind the letter (it is 'n ID s' for the source, 'n ID t' for the sink); " + remove);
    check("p max 3 2 9 9", "1:11: '9 9' behind the number of arcs (it is 'p max NODES ARCS'); " + remove);
    for (const char* letter : {"t", "l"}) {
        check(letter + std::string(" 1 0 2"),
              "1:7: '2' behind the class (it is 't NODE CLASS' or 'l NODE CLASS', both whole numbers); " + remove);
    }
    CHECK(normal_form("p max 3 2 \t\nn 1 s \r\nn 3 t\t\na 1 2 3 \na 2 3 5 \r\n") == "1/2 0-2:2 +3");
    CHECK(normal_form("1 2 3 \t\r\n2 3 \nt 1 0 \nt 3 1\t\r\n") == "1/2 0-1:3 0-2:1");
}

TEST_CASE("lines that contradict each other are refused at the later one") {
    const auto check = [](const std::string& text, const std::string& expected) {
        CAPTURE(text);
        for (const std::size_t block : {std::size_t{4}, std::size_t{0}}) {
            TextLimits limits;
            limits.block_bytes = block;
            CHECK(complaint(text, limits) == expected);
        }
    };
    check("p max 2 0\np max 2 0\n", "file.txt:2:1: a second p line (a file holds one problem); split the file");
    check("a 1 2 3\np max 2 1\n",
          "file.txt:1:1: an arc before the p line ('p max NODES ARCS' comes first); move it up");
    check("p max 2 1\n1 2\n", "file.txt:2:1: a line of a list of edges (the file has a p line, so edges are arcs 'a "
                              "...'); write it one way or the other");
    check(kFlow + "a 1 2 1\na 2 5 1\na 3 4 1\n",
          "file.txt:5:5: there is no node 5 (its p line says 4 nodes); repair the id, or the p line");
    check(kFlow + "a 1 2 1\na 0 2 1\na 3 4 1\n", "file.txt:5:3: node 0 (ids start at 1); renumber the nodes");
    check("p max 4 0\nn 9 s\nn 4 t\n",
          "file.txt:2:3: there is no node 9 (its p line says 4 nodes); repair the id, or the p line");
    check("p max 4 0\nn 1 s\nn 2 s\nn 4 t\n", "file.txt:3:3: a second source (a flow has one); remove a line 'n'");
    check("p max 4 0\nn 1 s\nn 1 t\n",
          "file.txt:3:3: node 1 is source and sink (nothing would cut them apart); repair a line 'n'");
    check("1 2\nt 1 0\nt 2 1\nt 1 1\n",
          "file.txt:4:3: node 1 has a second class, 1 (it can have one); remove one of the lines");
    check("1 2\n3 2\nt 1 0\nt 2 1\nl 3 0\nl 3 1\n",
          "file.txt:6:3: node 3 has a second class, 1 (it can have one); remove one of the lines");
    check("1 2\n3 2\nt 1 0\nt 2 1\nl 3 5\n",
          "file.txt:5:3: class 5 has no terminal (no line 't' names it); repair the line, or add a terminal");
}

TEST_CASE("a graph without what a cut needs is refused") {
    for (const char* text : {"", "\n\n", "# nothing\n", "c nothing\n"}) {
        CAPTURE(text);
        CHECK(complaint(text) == "file.txt holds no edge (it is empty, or comments only); check that it is the file "
                                 "you mean");
    }
    CHECK(complaint("1 2\nt 1 0\n") == "file.txt has terminals of 1 classes (a cut parts 2 to 1024); name terminals "
                                       "by lines 't NODE CLASS'");
    std::string many = "1 2\n";
    for (int i = 0; i < 1025; ++i) many += fmt::format("t {} {}\n", i + 3, i);
    CHECK(complaint(many).starts_with("file.txt has terminals of 1025 classes"));
    CHECK(complaint("p max 4 0\nn 1 s\n") == "file.txt has no sink (no line is 'n ID t'); add it");
    CHECK(complaint("p max 4 0\nn 1 t\n") == "file.txt has no source (no line is 'n ID s'); add it");
    CHECK(complaint(kFlow + "a 1 2 1\na 2 4 1\n") ==
          "file.txt has 2 arcs (its p line says 3); check that the file is complete");
    CHECK(complaint("p max 2 1\nn 1 s\nn 2 t\na 1 2 5\n") ==
          "file.txt holds no edge that a cut could spare (all cuts cost the same); check that it is the file you mean");
    CHECK(complaint("1 2 3e38\n2 1 3e38\nt 1 0\nt 2 1\n").starts_with("file.txt: the weights of an edge add up to"));
}

TEST_CASE("nodes of which nearly all are named by no line are refused, by the largest id") {
    const char* const kWhy = "every id takes memory, and 4 lines name few of them";
    CHECK(complaint("1 2\n2 100000000\nt 1 0\nt 2 1\n") ==
          fmt::format("file.txt has nodes up to 100000000 ({}); number nodes one after the other", kWhy));
    CHECK(complaint("0 2\n2 100000000\nt 0 0\nt 2 1\n").starts_with("file.txt has nodes up to 100000000 ("));
    CHECK(complaint("p max 5000000 2\nn 1 s\nn 2 t\na 1 3 5\na 3 2 5\n")
              .starts_with("file.txt has nodes up to 5000000 ("));
    CHECK(complaint("1 2\n2 4000000\nt 1 0\nt 2 1\n") == "accepted");
}

TEST_CASE("more nodes than memory holds are refused before any is asked for") {
    TextLimits limits;
    limits.max_array_bytes = std::uint64_t{1} << 30;
    CHECK(complaint("p max 4000000000 1\nn 1 s\nn 2 t\na 1 2 5\n", limits) ==
          "file.txt does not fit into memory (its 4000000000 nodes exceed the limit of 1073741824 bytes); number nodes "
          "one after the other, or use a machine with more memory");
    CHECK(complaint("0 4294967294\nt 0 0\nt 1 1\n", limits)
              .starts_with("file.txt does not fit into memory (its 4294967295 nodes"));
    CHECK(complaint("p max 4294967297 1\n", limits).starts_with("file.txt:1:7: number of nodes '4294967297' is too"));
    limits.max_array_bytes = 100;
    std::string text;
    for (int i = 0; i < 100; ++i) text += "1 2\n";
    CHECK(complaint(text, limits).starts_with("file.txt does not fit into memory"));
}

TEST_CASE("a graph is the same whatever the blocks, the threads and the compression") {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += fmt::format("{} {} {}\n", i * 7 % 611, i * 13 % 97, 0.5 * (i % 10));
    for (int t = 0; t < 5; ++t) text += fmt::format("t {} {}\n", 100 * t + 3, t);
    const std::string expected = normal_form(text);
    const unsigned before = parallelism();
    for (const unsigned threads : {1u, 2u, 8u}) {
        set_parallelism(threads);
        for (const std::size_t block : {16u, 100u, 1u << 20}) {
            TextLimits limits;
            limits.block_bytes = block;
            CHECK(normal_form(text, limits) == expected);
            for (const Format& format : formats()) CHECK(normal_form(format.pack(text), limits) == expected);
        }
    }
    set_parallelism(before);
}

TEST_CASE("a truncated graph is an error at every length, never a part of it") {
    std::string text = "t 1 0\nt 2 1\n"; // a part that ends with a line would be a graph
    for (int i = 0; i < 5000; ++i) text += fmt::format("{} {} {}\n", i * 7 % 611, i * 13 % 97, 0.5 * (i % 10));
    const std::string stored = gzip(text);
    for (const std::size_t kept : {stored.size() - 1, stored.size() - 4, stored.size() / 2, std::size_t{20}}) {
        CHECK(complaint(stored.substr(0, kept)) ==
              "file.txt: cannot decompress gzip data (the file ends early); download or copy it again");
    }
}

TEST_CASE("a view counts what it says of all edges") {
    const GraphData data = read_graph("1 2 3\n2 3 5\n1 4 4\nt 3 0\nt 4 1\n", "f");
    const EdgesView view = data.arrays->view();
    CHECK(view.rows == 3);
    CHECK(view.mean == 4);
    CHECK(view.terminal_ends == 2);
}

} // namespace
} // namespace hogwild
