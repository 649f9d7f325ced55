#include "engine/data/words/word_questions.h"

#include "engine/data/files/mapped_file.h"
#include "engine/data/text/decimal.h"
#include "engine/data/text/line_blocks.h"
#include "engine/data/text/text_words.h"
#include "engine/error.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace hogwild {
namespace {

bool is_separator(char c) { return words::is_blank(c) || c == ',' || c == '\r'; }

/// Whether it is the name of a column: not what looks like a number, nor nan, inf or infinity.
bool is_name(std::string_view field) {
    const std::string ended = std::string(field) + '\n';
    const bool is_wild = words::names_non_finite(ended.data()) && (field.size() == 3 || field.size() == 8);
    return !words::is_digit(field[0]) && std::string_view("+-.").find(field[0]) == std::string_view::npos && !is_wild;
}

/// Fields of one line, and where they are.
class Line {
public:
    /// `may_be_header`: no question stands before it, and something behind it.
    Line(std::string_view text, const std::string& name, std::uint64_t number, bool may_be_header)
        : text_(text), rest_(text), name_(name), number_(number), may_be_header_(may_be_header) {
        skip();
    }

    bool ended() const { return rest_.empty(); }
    char first() const { return rest_[0]; }

    std::string field() {
        std::size_t size = 0;
        while (size < rest_.size() && !is_separator(rest_[size])) ++size;
        const std::string field(rest_.substr(0, size));
        const std::string ended = field + '\n';
        if (words::is_binary(ended.data(), words::ends_line)) {
            fail(fmt::format("{} is no word", words::quoted(ended.data(), words::ends_line)),
                 "it holds a control character, or bytes that are no UTF-8");
        }
        rest_.remove_prefix(size);
        skip();
        return field;
    }

    [[noreturn]] void fail(const std::string& what, const std::string& why) const {
        throw Error(fmt::format("{}:{}:{}: {}", name_, number_, text_.size() - rest_.size() + 1, what), why,
                    "repair the line, or put '#' before a comment");
    }

    /// Throws where the line may be one: it has no score, or `instead` of one.
    void check_header(std::string_view instead) const {
        if (!may_be_header_ || (!instead.empty() && !is_name(instead))) return;
        const std::string line = std::string(text_) + '\n';
        throw Error(fmt::format("{}:{}:1: {} looks like a header", name_, number_,
                                words::quoted(line.data(), words::ends_line)),
                    "no score stands in it, and a line is 'word word score'",
                    "put '#' before it if it names the columns, else repair it");
    }

private:
    void skip() {
        while (!rest_.empty() && is_separator(rest_[0])) rest_.remove_prefix(1);
    }

    std::string_view text_, rest_;
    const std::string& name_;
    std::uint64_t number_;
    bool may_be_header_;
};

/// read(line) for every line that is no comment and not empty.
template <class Question, class Read>
std::vector<Question> parse(std::string_view text, const std::string& name, const std::string& kind, const Read& read) {
    std::vector<Question> questions;
    text = without_byte_order_mark(text);
    for (std::uint64_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view behind = text.substr(std::min(end + 1, text.size()));
        Line line(text.substr(0, end), name, number, questions.empty() && !behind.empty());
        text = behind;
        if (line.ended() || line.first() == '#') continue;
        if (std::optional<Question> question = read(line)) questions.push_back(std::move(*question));
    }
    if (!questions.empty()) return questions;
    throw Error(name + " holds no " + kind, "it is empty, or comments only", "check that it is the file you mean");
}

float score_of(const std::string& field, const Line& line) {
    const std::string text = field + '\n';
    const char* p = text.data();
    float score = 0;
    const decimal::Reading reading = decimal::read_float(p, text.data() + text.size(), score);
    if (reading == decimal::Reading::kOk && *p == '\n' && std::isfinite(score)) return score;
    line.check_header(field);
    const auto why = decimal::why_out_of_range(reading);
    line.fail(fmt::format("score {} is no number{}", words::quoted(text.data(), words::ends_line),
                          why.empty() ? "" : " that can be used"),
              why.empty() ? "a line is 'word word score'" : std::string(why));
}

std::optional<std::uint32_t> id_of(const std::string& word, const Vocabulary& words) {
    if (const auto id = words.find(word)) return id;
    std::string lower = word;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return words.find(lower);
}

} // namespace

std::vector<PairQuestion> parse_pair_questions(std::string_view text, const std::string& name) {
    return parse<PairQuestion>(text, name, "pair of words", [](Line& line) -> std::optional<PairQuestion> {
        PairQuestion pair;
        pair.a = line.field();
        if (!line.ended()) pair.b = line.field();
        if (line.ended()) {
            line.check_header("");
            line.fail("the line ends before its score", "a line is 'word word score'");
        }
        pair.score = score_of(line.field(), line);
        return pair;
    });
}

std::vector<AnalogyQuestion> parse_analogy_questions(std::string_view text, const std::string& name) {
    return parse<AnalogyQuestion>(text, name, "analogy", [](Line& line) -> std::optional<AnalogyQuestion> {
        if (line.first() == ':') return {};
        AnalogyQuestion analogy;
        for (std::string& word : analogy) {
            if (line.ended()) line.fail("the line has fewer than four words", "a line is 'Athens Greece Oslo Norway'");
            word = line.field();
        }
        if (!line.ended()) line.fail("the line has more than four words", "a line is 'Athens Greece Oslo Norway'");
        return analogy;
    });
}

std::vector<PairQuestion> read_pair_questions(const std::string& path) {
    return parse_pair_questions(MappedFile(path).text(), path);
}

std::vector<AnalogyQuestion> read_analogy_questions(const std::string& path) {
    return parse_analogy_questions(MappedFile(path).text(), path);
}

std::vector<WordPair> covered(const std::vector<PairQuestion>& questions, const Vocabulary& words) {
    std::vector<WordPair> pairs;
    for (const PairQuestion& question : questions) {
        const auto a = id_of(question.a, words), b = id_of(question.b, words);
        if (a && b) pairs.push_back({*a, *b, question.score});
    }
    return pairs;
}

std::vector<Analogy> covered(const std::vector<AnalogyQuestion>& questions, const Vocabulary& words) {
    std::vector<Analogy> analogies;
    for (const auto& [a, b, c, d] : questions) {
        const auto first = id_of(a, words), second = id_of(b, words), third = id_of(c, words), fourth = id_of(d, words);
        if (first && second && third && fourth) analogies.push_back({*first, *second, *third, *fourth});
    }
    return analogies;
}

} // namespace hogwild
