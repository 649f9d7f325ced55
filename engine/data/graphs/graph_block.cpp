#include "engine/data/graphs/graph_block.h"

#include "engine/data/graphs/said_counts.h"
#include "engine/data/text/banner.h"
#include "engine/data/text/decimal.h"
#include "engine/data/text/line_parser.h"
#include "engine/data/text/text_words.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace hogwild {
namespace {

using decimal::Reading;
using words::is_blank;
using words::is_digit;

constexpr std::uint64_t kLargestId = std::numeric_limits<std::uint32_t>::max() - 1;

bool ends_field(const char* p) { return is_blank(*p) || *p == ',' || *p == ';' || words::ends_line(p); }

std::string quoted(const char* p) { return words::quoted(p, ends_field); }

class BlockParser : public LineParser<BlockParser, GraphBlock> {
public:
    explicit BlockParser(std::string_view text) : LineParser(text) {
        block_.edges = PageArray<WeightedEdge>(static_cast<std::uint64_t>(std::count(p_, end_, '\n')));
    }

private:
    friend LineParser;

    bool is_skipped() {
        if (is_comment()) {
            note_counts();
            return !is_banner();
        }
        return words::ends_line(p_) || is_word('c');
    }

    void note_counts() {
        if (block_.said_edges) return;
        block_.said_edges = said_edges({p_, static_cast<std::size_t>(end_ - p_)});
        block_.said_line = block_.lines;
    }

    bool is_comment() const { return *p_ == '#' || *p_ == '%'; }
    bool is_banner() const { return looks_like_banner({p_, static_cast<std::size_t>(end_ - p_)}); }

    /// Whether the next word is this letter.
    bool is_word(char letter) const { return *p_ == letter && (is_blank(p_[1]) || words::ends_line(p_ + 1)); }

    TextPlace place(const char* p) const { return {block_.lines, column(p)}; }

    /// Takes the letter of a line, and remembers the first of its kind.
    bool takes(char letter, std::optional<TextPlace>& first) {
        if (!is_word(letter)) return false;
        if (!first) first = place(p_);
        ++p_;
        skip_blanks();
        return true;
    }

    bool parse_line() {
        if (is_comment()) {
            return fail(p_, "this is the banner of a matrix, not of a graph",
                        "a size line follows it, which is no edge",
                        "remove both lines, so that edges 'U V' or 'U V WEIGHT' are left");
        }
        if (takes('a', block_.first_arc)) return parse_edge("arc", "an arc is 'a FROM TO CAPACITY'", false);
        if (takes('n', block_.first_arc)) return parse_end();
        if (takes('t', block_.first_listed)) return parse_class(block_.terminals);
        if (takes('l', block_.first_listed)) return parse_class(block_.known);
        if (is_word('p')) return parse_head();
        if (!is_digit(*p_) && *p_ != '-') {
            return fail(p_, fmt::format("a line begins with {}", quoted(p_)),
                        "lines of a graph begin with a node, or with c, p, n, a, t or l",
                        "repair the line, or put '#' before a comment");
        }
        if (!block_.first_listed) block_.first_listed = place(p_);
        if (!block_.first_edge) block_.first_edge = place(p_);
        return parse_edge("edge", "an edge is 'U V' or 'U V WEIGHT'", true);
    }

    bool parse_head() {
        const TextPlace here = place(p_);
        ++p_;
        skip_blanks();
        constexpr const char* kWhy = "it is 'p max NODES ARCS'";
        if (!std::string_view(p_, static_cast<std::size_t>(end_ - p_)).starts_with("max") || !is_blank(p_[3]))
            return fail(p_, "this is no p line of a maximum flow", kWhy, "use a DIMACS file of that problem");
        p_ += 3;
        skip_blanks();
        FlowHead head{0, 0, here};
        if (!parse_number("number of nodes", kWhy, head.nodes) || !parse_number("number of arcs", kWhy, head.arcs) ||
            !ends("number of arcs", kWhy))
            return false;
        if (block_.head) {
            if (!block_.second_head) block_.second_head = here;
            return true;
        }
        block_.head = head;
        return true;
    }

    bool parse_end() {
        NodeLine end;
        constexpr const char* kWhy = "it is 'n ID s' for the source, 'n ID t' for the sink";
        end.place = place(p_);
        if (!parse_id("node", kWhy, end.node) || !more(kWhy)) return false;
        if (!is_word('s') && !is_word('t'))
            return fail(p_, fmt::format("{} is neither source nor sink", quoted(p_)), kWhy, "repair the line");
        end.of = *p_ == 's' ? 0 : 1;
        ++p_;
        if (!ends("letter", kWhy)) return false;
        block_.ends.push_back(end);
        return true;
    }

    bool parse_class(std::vector<NodeLine>& lines) {
        NodeLine line;
        constexpr const char* kWhy = "it is 't NODE CLASS' or 'l NODE CLASS', both whole numbers";
        line.place = place(p_);
        if (!parse_id("node", kWhy, line.node) || !more(kWhy) || !parse_id("class", kWhy, line.of) ||
            !ends("class", kWhy))
            return false;
        lines.push_back(line);
        return true;
    }

    bool parse_edge(const char* what, const char* why, bool may_lack_weight) {
        WeightedEdge& edge = block_.edges[block_.rows];
        edge.weight = 1;
        const char* const first = p_;
        if (!parse_id("node", why, edge.u) || !more(why)) return false;
        const char* const second = p_;
        if (!parse_id("node", why, edge.v)) return false;
        if (!words::ends_line(p_)) {
            const char* const number = p_;
            const Reading reading = decimal::read_float(p_, end_, edge.weight);
            if (reading != Reading::kOk || !ends_field(p_) || edge.weight < 0) [[unlikely]]
                return weight_fault(what, number, reading);
            if (*p_ == ',') [[unlikely]]
                return fail(number, fmt::format("a comma behind {} {}", weight_of(what), quoted(number)),
                            fmt::format("the line ends there: {}", why),
                            "write a decimal point, as in 3.5, or remove the rest of the line");
            skip_blanks();
            if (may_lack_weight && is_digit(*p_)) [[unlikely]]
                return neighbours_fault(why);
            if (!ends(weight_of(what), why)) return false;
            ++block_.weighted;
            block_.padded += *number == '0' && is_digit(number[1]) ? 1 : 0;
            if (block_.rows == 0) block_.first_weight = words::shown(number, ends_field);
        } else if (!may_lack_weight) {
            return fail(p_, "the arc has no capacity", why, "complete the line, or remove it");
        }
        note(edge.u, first);
        note(edge.v, second);
        ++block_.rows;
        return true;
    }

    void note(std::uint32_t id, const char* at) {
        if (id > block_.most || block_.most_place.line == 0) {
            block_.most = id;
            block_.most_place = place(at);
        }
        if (id < block_.least) {
            block_.least = id;
            block_.least_place = place(at);
        }
    }

    /// Whether the line goes on.
    bool more(const char* why) {
        if (!words::ends_line(p_)) return true;
        return fail(p_, "the line ends too early", why, "complete the line, or remove it");
    }

    /// Whether the line ends here.
    bool ends(const char* behind, const char* why) {
        skip_blanks();
        if (words::ends_line(p_)) return true;
        return fail(p_, fmt::format("{} behind the {}", words::quoted(p_, words::ends_line), behind), why,
                    "remove the rest of the line");
    }

    /// Of METIS and others a line lists the neighbours of a node, as many as there are.
    [[gnu::cold]] bool neighbours_fault(const char* why) {
        return fail(
            p_, fmt::format("{} behind the weight", words::quoted(p_, words::ends_line)), why,
            "remove the rest of the line, or, if lines list the neighbours of a node, as those of METIS do, write a "
            "line 'U V' for each edge");
    }

    static const char* weight_of(const char* what) { return *what == 'a' ? "capacity" : "weight"; }

    /// A number and the separator behind it; beyond the largest id it says so.
    bool parse_id(const char* what, const char* why, std::uint32_t& id) {
        std::uint64_t number = 0;
        if (!parse_number(what, why, number)) return false;
        id = static_cast<std::uint32_t>(number);
        return true;
    }

    bool parse_number(const char* what, const char* why, std::uint64_t& number) {
        const char* const field = p_;
        number = 0;
        for (; is_digit(*p_); ++p_) number = std::min(number * 10 + static_cast<unsigned>(*p_ - '0'), kLargestId + 1);
        if (p_ == field || !ends_field(p_) || number > kLargestId) [[unlikely]]
            return number_fault(what, why, field, number);
        skip_blanks();
        if (*p_ == ',' || *p_ == ';') ++p_;
        skip_blanks();
        return true;
    }

    [[gnu::cold]] bool number_fault(const char* whose, const char* why, const char* field, std::uint64_t number) {
        const std::string what = fmt::format("{} {}", whose, quoted(field));
        if (number > kLargestId) {
            return fail(field, what + " is too large", fmt::format("the largest is {}", kLargestId),
                        "number nodes and classes one after the other");
        }
        if (*field == '-') return fail(field, "negative " + what, why, "renumber them");
        if (words::is_binary(field, ends_field)) {
            return fail(field, what + " is no number", "it looks like no text, and not like gzip, bzip2, xz or zstd",
                        "copy the file again, or repair the line");
        }
        return fail(field, what + " is no whole number", why, "repair the line, or put '#' before a comment");
    }

    [[gnu::cold]] bool weight_fault(const char* whose, const char* number, Reading reading) {
        const std::string what = fmt::format("{} {}", weight_of(whose), quoted(number));
        if (words::names_non_finite(number))
            return fail(number, what, "it is a finite number", "remove or repair the line");
        if (const auto why = decimal::why_out_of_range(reading); !why.empty())
            return fail(number, what, fmt::format("it is {}", why), "rescale all of them");
        if (*number == '-' && reading == Reading::kOk && ends_field(p_))
            return fail(number, "negative " + what, "cutting cannot pay", "remove the line, or repair it");
        return fail(number, what + " is no number", "it is a decimal number such as 3.5", "repair the line");
    }
};

} // namespace

GraphBlock parse_graph_block(std::string_view text) { return BlockParser(text).parse(); }

} // namespace hogwild
