#include "experiments/model/word_vectors.h"

#include "engine/error.h"
#include "tests/experiments/program.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>
#include <string>

using namespace hogwild;

namespace {

Vocabulary words() {
    Vocabulary words;
    for (const char* word : {"the", "caf\xC3\xA9", ",", "</s>", "0.5"}) words.add(word);
    return words;
}

std::vector<float> vectors() {
    std::vector<float> vectors = TestNumbers(1).vector<float>(5 * 7, 3);
    vectors[3] = std::numeric_limits<float>::denorm_min();
    vectors[4] = -0.0f;
    vectors[5] = std::bit_cast<float>(0x0A200A20u); // bytes that look like blanks and newlines
    vectors[6] = std::numeric_limits<float>::max();
    return vectors;
}

void check_same(const WordVectors& read) {
    const Vocabulary expected = words();
    REQUIRE(read.words->size() == 5);
    for (std::uint32_t w = 0; w < 5; ++w) CHECK(read.words->word(w) == expected.word(w));
    CHECK(read.dim == 7);
    REQUIRE(read.vectors.size() == 35);
    CHECK(std::memcmp(read.vectors.data(), vectors().data(), 35 * sizeof(float)) == 0);
}

std::string complaint(const auto& read) {
    try {
        read();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("word vectors survive being written and read in both formats, bit for bit") {
    check_same(read_word2vec_text(word2vec_text(words(), 7, vectors()), "f"));
    check_same(read_word2vec_binary(word2vec_binary(words(), 7, vectors()), "f"));
    const Scratch scratch;
    for (const char* name : {"v.txt", "v.bin"}) {
        save_word_vectors(scratch.path / name, words(), 7, vectors());
        check_same(load_word_vectors(scratch.path / name));
    }
    CHECK_THROWS_AS(save_word_vectors(scratch.path / "v.vec", words(), 7, vectors()), Error);
}

TEST_CASE("the bytes are word2vec's") {
    Vocabulary two;
    two.add("a");
    two.add("bc");
    const std::vector<float> numbers{1, -2.5f, 0, 1e-7f};
    CHECK(word2vec_text(two, 2, numbers) == "2 2\na 1 -2.5\nbc 0 1e-07\n");
    std::string expected = "2 2\na ";
    expected += std::string("\x00\x00\x80\x3F\x00\x00\x20\xC0", 8) + "\nbc ";
    expected += std::string("\x00\x00\x00\x00\x95\xBF\xD6\x33", 8) + "\n";
    CHECK(word2vec_binary(two, 2, numbers) == expected);
    // Blanks at lines' ends, as word2vec.c leaves them; newlines between words, as some writers leave out.
    CHECK(read_word2vec_text("2 2\na 1 -2.5 \nbc 0 1e-07 \n", "f").vectors == numbers);
    std::string dense = "2 2\na " + expected.substr(6, 8) + expected.substr(15);
    CHECK(read_word2vec_binary(dense, "f").vectors == numbers);
}

TEST_CASE("what holds no word vectors is refused, with a reason") {
    const auto text = [](const std::string& bytes) { return complaint([&] { read_word2vec_text(bytes, "f"); }); };
    const auto binary = [](const std::string& bytes) { return complaint([&] { read_word2vec_binary(bytes, "f"); }); };
    const std::string because = "f holds no word vectors that can be used (";
    for (const char* head : {"", "a b\n", "2\n", "2 2 2\n", "-1 2\n", "1 2"}) {
        CAPTURE(head);
        CHECK(text(head).starts_with(because + "its first line is not how many words and how many numbers each)"));
        CHECK(binary(head) == text(head));
    }
    CHECK(text("99999999999 100\na 1\n")
              .starts_with(because + "it says that it holds 99999999999 words of 100 numbers)"));
    CHECK(text("0 2\n").starts_with(because + "it says that it holds 0 words"));
    CHECK(text("1 2\na 1\n").starts_with(because + "line 2 has no 2 numbers behind its word)"));
    CHECK(text("1 2\na 1 2 3\n").starts_with(because + "line 2 has more than 2 numbers)"));
    CHECK(text("1 2\na 1 x\n").starts_with(because + "line 2 has no 2 numbers behind its word)"));
    CHECK(text("1 2\na 1 nan\n").starts_with(because + "word 1 has a number that is not finite)"));
    CHECK(text("2 1\na 1\na 2\n").starts_with(because + "word 2 has occurred before)"));
    CHECK(text("2 1\na 1\n").find("(word 2 is empty)") != std::string::npos);
    const std::string good = word2vec_binary(words(), 7, vectors());
    CHECK(binary(good.substr(0, good.size() - 2)).starts_with(because + "it ends within word 5 of 5)"));
}

TEST_CASE("a reader with a count checks both ends: more than the head says, or a word with a blank, is refused") {
    const auto text = [](const std::string& bytes) { return complaint([&] { read_word2vec_text(bytes, "f"); }); };
    const auto binary = [](const std::string& bytes) { return complaint([&] { read_word2vec_binary(bytes, "f"); }); };
    CHECK(holds(text("1 1\na 1\nb 2\n"),
                "(4 bytes stand behind its 1 words: it has more of them, or one holds a blank)"));
    CHECK(holds(text("1 2\nnew york 1 2\n"), "(line 2 has no 2 numbers behind its word)"));
    CHECK(text("1 1\na 1 \r\n\n") == "accepted");
    const std::string number("\x00\x00\x80\x3F", 4); // 1
    CHECK(binary("1 2\na " + number + number + "\n\n") == "accepted");
    CHECK(binary("1 2\na " + number + number) == "accepted");
    CHECK(holds(binary("1 2\na " + number + number + "\nb " + number + number + "\n"),
                "(11 bytes stand behind its 1 words"));
    const std::string spaced = "new york " + number + number + "\n", plain = "b " + number + number + "\n";
    for (const std::string& bytes : {"1 2\n" + spaced, "2 2\n" + spaced + plain, "2 2\n" + plain + spaced})
        CHECK(holds(binary(bytes), "f holds no word vectors that can be used ("));
}

TEST_CASE("out of range has two ends: too small a number is 0, too large a one is refused") {
    const auto text = [](const std::string& number) {
        return complaint([&] { read_word2vec_text("1 1\na " + number + '\n', "f"); });
    };
    const auto first = [](const std::string& number) {
        return read_word2vec_text("1 1\na " + number + '\n', "f").vectors[0];
    };
    for (const char* small : {"1e-60", "-1e-60", "0.0000000000000000000000000000000000000000000000000000001", "1e-999"})
        CHECK(first(small) == 0);
    for (const char* large : {"1e39", "-1e39", "3.5e38", "1e999", "100000000000000000000000000000000000000000"})
        CHECK(holds(text(large), "(word 1 has a number larger than the largest float, 3.4e38)"));
    for (const char* value : {"0", "-0", "1e-45", "1e-40", "+1"}) CHECK(text(value) == "accepted");
}

TEST_CASE("a word with a control character is refused, in either format") {
    const std::string number("\x00\x00\x80\x3F", 4); // 1
    for (const auto& [byte, name] :
         {std::pair{'\0', "00"}, {'\t', "09"}, {'\x01', "01"}, {'\r', "0d"}, {'\x7F', "7f"}}) {
        const std::string says = fmt::format("(word 2 holds the control character \\x{})", name);
        for (const std::string& word :
             {std::string("b") + byte, std::string("b") + byte + "c", byte + std::string("b")}) {
            CAPTURE(word);
            CHECK(holds(complaint([&] { read_word2vec_binary("2 1\na " + number + '\n' + word + ' ' + number, "f"); }),
                        says));
            if (byte != '\t' && byte != '\r') // these part fields there
                CHECK(holds(complaint([&] { read_word2vec_text("2 1\na 1\n" + word + " 1\n", "f"); }), says));
        }
    }
    CHECK(complaint([&] { read_word2vec_binary("1 1\nd\u00e9j\u00e0\xe9 " + number, "f"); }) ==
          "accepted"); // as word2vec cuts
}

TEST_CASE("a run saves its words' vectors, and hogwild similarity reads them and says what it covers") {
    const Scratch scratch;
    std::ofstream(scratch.path / "text.txt") << "sun moon star sun moon star sun moon star sun moon sun\n";
    std::ofstream(scratch.path / "pairs.txt") << "sun moon 3\nsun star 2\nmoon star 1\nsun earth 9\n";
    std::ofstream(scratch.path / "analogies.txt") << "sun moon star sun\nsun moon star earth\n";
    for (const std::string file : {"v.bin", "v.txt"}) {
        fs::remove_all(scratch.path / "out");
        const Finished done = run_tiny(scratch.path,
                                       {"--problem", "skipgram", "--scheme", "serial", "--dim", "6", "--min-count", "1",
                                        "--subsample", "0", "--save", file},
                                       "text.txt");
        CHECK_MESSAGE(done.code == 0, done.error);
        const WordVectors read = load_word_vectors(scratch.path / file);
        CHECK(read.dim == 6);
        CHECK(read.words->word(0) == "sun");
        CHECK(read.vectors.size() == 18);
        const Finished scored =
            call({"similarity", "--model", file, "--pairs", "pairs.txt", "--analogies", "analogies.txt"}, scratch.path);
        CHECK_MESSAGE(scored.code == 0, scored.error);
        CHECK(holds(scored.out, file + ": 3 words, 6 dimensions\npairs.txt: spearman "));
        CHECK(holds(scored.out, ", 3 of 4 pairs covered\nanalogies.txt: accuracy "));
        CHECK(holds(scored.out, ", 1 of 2 analogies covered\n"));
    }
    const Finished json = call({"similarity", "--model", "v.bin", "--pairs", "pairs.txt", "--json"}, scratch.path);
    CHECK(holds(json.out, "\"covered\":3"));
    CHECK(call({"similarity", "--model", "v.bin"}, scratch.path).code == 2);
    CHECK(call({"similarity", "--model", "absent.bin", "--pairs", "pairs.txt"}, scratch.path).code == 69);
}

TEST_CASE("what does not go with words' vectors is refused before anything runs") {
    const Scratch scratch;
    const Finished lines = run_tiny(scratch.path, {"--scheme", "serial", "--save", "v.bin"});
    CHECK(lines.code == 2);
    CHECK(holds(lines.error, "its format holds vectors of words, which hinge has none of"));
    const Finished tested = run_tiny(scratch.path, {"--problem", "skipgram", "--test", "held-out"}, "synthetic:words");
    CHECK(tested.code == 2);
    CHECK(holds(tested.error, "it is scored on what it trains on"));
    CHECK(run_tiny(scratch.path, {"--problem", "skipgram", "--min-count", "0"}, "synthetic:words").code == 2);
    CHECK(run_tiny(scratch.path, {"--problem", "skipgram", "--l2", "0.1", "--scheme", "serial"}, "synthetic:words")
              .code == 0);
    CHECK(!fs::exists(scratch.path / "v.bin"));
}
