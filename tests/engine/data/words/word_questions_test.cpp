#include "engine/data/words/word_questions.h"

#include "engine/data/load.h"
#include "engine/data/load_text.h"
#include "engine/error.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <string>

namespace hogwild {
namespace {

std::string complaint(const auto& read) {
    try {
        read();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

Vocabulary vocabulary(std::initializer_list<const char*> words) {
    Vocabulary vocabulary;
    for (const char* word : words) vocabulary.add(word);
    return vocabulary;
}

void write(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

} // namespace

TEST_CASE("a vocabulary numbers words as they come, finds them, and nothing else") {
    Vocabulary words;
    CHECK_FALSE(words.find("a"));
    for (int round = 0; round < 2; ++round) {
        for (std::uint32_t i = 0; i < 1'000; ++i) CHECK(words.add(std::to_string(i * i)) == i);
    }
    CHECK(words.size() == 1'000);
    CHECK(words.word(31) == "961");
    CHECK(words.find("961") == 31);
    CHECK_FALSE(words.find("962"));
    CHECK(words.add("") == 1'000);
    CHECK(words.word(1'000).empty());
}

TEST_CASE("pairs are covered as they stand, else in lower case") {
    const auto questions =
        parse_pair_questions("# people\nSun,moon,3.5\r\nsun\tMoon 1e1 more\n\nsun x 4\nA Sun 2", "f");
    CHECK(questions.size() == 4);
    const auto pairs = covered(questions, vocabulary({"sun", "moon", "A", "a"}));
    REQUIRE(pairs.size() == 3);
    CHECK(pairs[0].a == 0);
    CHECK(pairs[0].b == 1);
    CHECK(pairs[0].score == 3.5f);
    CHECK(pairs[1].score == 10);
    CHECK(pairs[2].a == 2); // not the lower case where the word itself is there
}

TEST_CASE("analogies have four words, sections are skipped") {
    const auto questions = parse_analogy_questions(": capitals\nAthens Greece Oslo Norway\n: other\na b c d\n", "f");
    CHECK(questions.size() == 2);
    const auto analogies = covered(questions, vocabulary({"greece", "norway", "athens", "oslo"}));
    REQUIRE(analogies.size() == 1);
    CHECK(analogies[0].a == 2);
    CHECK(analogies[0].d == 1);
}

TEST_CASE("lines that are no questions are refused at their line and column") {
    const auto pairs = [](const char* text) { return complaint([&] { parse_pair_questions(text, "f"); }); };
    const auto analogies = [](const char* text) { return complaint([&] { parse_analogy_questions(text, "f"); }); };
    const std::string repair = "); repair the line, or put '#' before a comment";
    CHECK(pairs("a b 1\na b\n") == "f:2:4: the line ends before its score (a line is 'word word score'" + repair);
    CHECK(pairs("a b c\n") == "f:1:6: score 'c' is no number (a line is 'word word score'" + repair);
    CHECK(pairs("a b nan\n").starts_with("f:1:8: score 'nan' is no number ("));
    CHECK(pairs("a b 1e60\n") ==
          "f:1:9: score '1e60' is no number that can be used (larger than the largest float, 3.4e38" + repair);
    CHECK(pairs("") == "f holds no pair of words (it is empty, or comments only); check that it is the file you mean");
    CHECK(analogies("a b c\n") ==
          "f:1:6: the line has fewer than four words (a line is 'Athens Greece Oslo Norway'" + repair);
    CHECK(analogies("a b c d e\n").starts_with("f:1:9: the line has more than four words ("));
    CHECK(pairs("a b\x01 1\n") ==
          "f:1:3: 'b\\x01' is no word (it holds a control character, or bytes that are no UTF-8" + repair);
    CHECK(pairs("a \xff 1\n").starts_with("f:1:3: '\\xff' is no word ("));
    CHECK(pairs("d\u00e9j\u00e0 vu 1\n") == "accepted");
    CHECK(analogies("a b c \xff\n").starts_with("f:1:7: '\\xff' is no word ("));
    CHECK(analogies(": x\n") ==
          "f holds no analogy (it is empty, or comments only); check that it is the file you mean");
}

TEST_CASE("a first line without a score is called what it looks like, a header") {
    const auto pairs = [](const std::string& text) { return complaint([&] { parse_pair_questions(text, "f"); }); };
    for (const char* line : {"query document", "query,document,relevance", "word1\tword2\tscore",
                             "Word 1,Word 2,Human (mean)", "word1 word2 information"}) {
        CAPTURE(line);
        const std::string said =
            fmt::format(" looks like a header (no score stands in it, and a line is 'word word score'); put "
                        "'#' before it if it names the columns, else repair it");
        const std::string what = pairs(fmt::format("# pairs\n\n{}\r\nsun moon 3\n", line));
        CHECK(what.starts_with("f:3:1: '"));
        CHECK(what.ends_with(said));
        CHECK(pairs(fmt::format("# {}\nsun moon 3\n", line)) == "accepted");
        CHECK(pairs(fmt::format("sun moon 3\n{}\n", line)).find("header") == std::string::npos);
    }
    for (const char* score : {"nan", "-inf", "1e60", "3.x", "-", ".x"})
        CHECK(pairs(fmt::format("a b {}\nsun moon 3\n", score))
                  .starts_with(fmt::format("f:1:{}: score", 5 + std::string(score).size())));
}

TEST_CASE("questions beside a text are taken where none are named, and a text is loaded with them") {
    const Scratch scratch;
    const std::string text = scratch.path / "text.txt";
    write(text, "sun moon sun moon star\n");
    write(scratch.path / "EN-MEN-TR-3k.txt", "sun moon 3\nsun star 2\n");
    write(scratch.path / "questions-words.txt", "sun moon moon sun\nsun star moon x\n");
    LoadOptions options;
    options.samples = TokensView::kSamples;
    options.min_count = 2;
    LoadReport report;
    const Dataset data = load(text, options, &report);
    const auto view = data.view().as<TokensView>();
    CHECK(view.rows == 4);
    CHECK(view.words == 2);
    CHECK(view.pair_count[0] == 1);
    CHECK(view.pairs_asked[0] == 2);
    CHECK(view.pairs_asked[1] == 0);
    CHECK(view.analogy_count == 1);
    CHECK(view.analogies_asked == 2);
    CHECK(report.words->word(0) == "moon");
    write(scratch.path / "my-ws353.csv", "sun,moon,3\n");
    options.similarity = {scratch.path / "my-ws353.csv"};
    const Dataset other = load(text, options);
    CHECK(other.view().as<TokensView>().pairs_asked[0] == 0);
    CHECK(other.view().as<TokensView>().pairs_asked[1] == 1);
    CHECK(other.content_hash() != data.content_hash());
    options.min_count = 1;
    CHECK(load(text, options).content_hash() != other.content_hash());
}

TEST_CASE("pairs of no known set, a missing file, a test text and sparse rows are refused") {
    const std::string other = complaint([] { question_files("t", {"mine.txt"}, ""); });
    CHECK(other.starts_with("--similarity mine.txt cannot be scored (its name is neither of MEN nor of WS-353"));
    CHECK(complaint([] {
              question_files("t", {"MEN.txt", "EN-MEN.txt"}, "");
          }).find("another file of the same set") != std::string::npos);
    LoadOptions options;
    options.samples = TokensView::kSamples;
    options.analogies = "/nowhere/analogies.txt";
    CHECK_THROWS_AS(load("synthetic:words", options), Error);
    options.analogies = "";
    CHECK(
        complaint([&] { load_pair("synthetic:words", "synthetic:words", options); }) ==
        "a text cannot be tested with synthetic:words (word vectors are scored by questions about the words they were "
        "trained on); leave out the test");
    CHECK(complaint([&] { load("synthetic:rcv1", options); }) ==
          "synthetic:rcv1 holds sparse rows (read as text: synthetic:rcv1 holds no text); that is for --problem hinge, "
          "logistic or squared");
}

TEST_CASE("a generated text is the same each time, of the words and topics that it was asked for") {
    LoadOptions options;
    options.samples = TokensView::kSamples;
    options.min_count = 1;
    const std::string name = "synthetic:words,tokens=5000,words=60,topics=6";
    const Dataset data = load(name, options), again = load(name + ",seed=1", options),
                  other = load(name + ",seed=2", options);
    const auto view = data.view().as<TokensView>(), same = again.view().as<TokensView>();
    CHECK(view.rows == 5'000);
    CHECK(view.words <= 60);
    CHECK(std::equal(view.tokens, view.tokens + 5'000, same.tokens));
    CHECK(data.content_hash() == again.content_hash());
    CHECK(data.content_hash() != other.content_hash());
    for (const char* wrong : {"synthetic:words,tokens=0", "synthetic:words,topics=x",
                              "synthetic:words,words=5,topics=6", "synthetic:words,", "synthetic:words,tokens"})
        CHECK_THROWS_AS(load(wrong, options), Error);
    CHECK(complaint([&] { load("synthetic:words,rows=3", options); }) ==
          "unknown part 'rows=3' of a generated text (known: tokens= (below 2^32), words= and topics= (1 to 1000000), "
          "seed=); try synthetic:words,tokens=100000,words=1000,topics=20");
    CHECK(complaint([&] { load("synthetic:words,held-out", options); }).starts_with("unknown part 'held-out' "));
    CHECK(complaint([&] { load("synthetic:words,topics=0", options); }).starts_with("topics=0 is out of range ("));
}

} // namespace hogwild
