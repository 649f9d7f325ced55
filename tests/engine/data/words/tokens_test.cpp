#include "engine/data/words/tokens.h"

#include "engine/data/load.h"
#include "engine/error.h"
#include "engine/machine/parallel.h"
#include "engine/memory/pages.h"
#include "tests/engine/data/compress.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <string>

namespace hogwild {
namespace {

std::string complaint(const std::string& text, std::uint64_t min_count = 1, const TextLimits& limits = {}) {
    try {
        read_tokens(text, "file.txt", limits, min_count);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kError);
        return error.what();
    }
    return "accepted";
}

/// The vocabulary in its order, then the text, sentences apart.
std::string normal_form(const std::string& stored, std::uint64_t min_count = 1, const TextLimits& limits = {}) {
    const TokensData data = read_tokens(stored, "file.txt", limits, min_count);
    std::string text;
    for (std::uint32_t w = 0; w < data.words->size(); ++w) text += std::string(data.words->word(w)) + ' ';
    text += ':';
    const TokensView view = data.array->view();
    REQUIRE(view.words == data.words->size());
    for (std::uint64_t i = 0; i < view.rows; ++i) {
        if (view.tokens[i] >= TokensView::kFirst) text += " /";
        text += ' ' + std::string(data.words->word(view.word(i)));
    }
    return text;
}

TEST_CASE("words are what lies between blanks, sentences between newlines, however the blanks are written") {
    for (const char* text : {"b a\nb c\n", "b a\nb c", "  b\ta \r\n\n\n b \v c\f\n \n",
                             "\xEF\xBB\xBF"
                             "b a\nb c\n"}) {
        CAPTURE(text);
        CHECK(normal_form(text) == "b a c : / b a / b c");
    }
    CHECK(normal_form("\n\n a") == "a : / a");
}

TEST_CASE("words are numbered by falling count, among equals by their bytes") {
    CHECK(normal_form("d c b a a b c c") == "c a b d : / d c b a a b c c");
    CHECK(normal_form("a B \xC3\xA9 Z") == "B Z a \xC3\xA9 : / a B \xC3\xA9 Z");
}

TEST_CASE("a word of a text takes 4 bytes while it is read, whatever the blocks, and a sentence's end none") {
    std::string text;
    constexpr std::uint64_t kWords = 600'000;
    for (std::uint64_t i = 0; i < kWords; ++i) text += fmt::format("w{}{}", i * i % 1'009, i % 2 == 0 ? '\n' : ' ');
    TextLimits limits;
    limits.block_bytes = 1 << 16;
    const std::uint64_t before = Pages::held(), of_block = limits.block_bytes / 4 * sizeof(std::uint32_t);
    Pages::watch();
    const TokensData data = read_tokens(text, "file.txt", limits, 1);
    REQUIRE(data.array->tokens.size() == kWords);
    CHECK(Pages::held() == before + 4 * kWords);
    CHECK(Pages::most_held() <= before + 4 * kWords + parallelism() * of_block); // those that are being renumbered
}

TEST_CASE("words below min-count are out of the text as if they had not been there") {
    CHECK(normal_form("rare a b\nonce\nb a x\ny a", 2) == "a b : / a b / b a / a");
    CHECK(normal_form("x a\nb\nc a\n", 2) == "a : / a / a"); // a sentence of rare words still parts its neighbours
    const TokensData data = read_tokens("x a b a b", "f", {}, 2);
    CHECK(data.rare == 1);
}

TEST_CASE("a text is the same whatever the blocks, the threads and the compression") {
    std::string text;
    for (int i = 0; i < 4'000; ++i)
        text += fmt::format("w{}{}", i * i % 61, i % 23 == 0 ? "\n" : i % 5 == 0 ? "  " : " ");
    const std::string expected = normal_form(text, 3);
    std::string one_line = text;
    for (char& c : one_line) c = c == '\n' ? ' ' : c;
    const std::string flat = normal_form(one_line, 3);
    const unsigned before = parallelism();
    for (const unsigned threads : {1u, 2u, 8u}) {
        set_parallelism(threads);
        for (const std::size_t block : {8u, 100u, 1u << 20}) {
            TextLimits limits;
            limits.block_bytes = block;
            CHECK(normal_form(text, 3, limits) == expected);
            CHECK(normal_form(gzip(text), 3, limits) == expected);
            CHECK(normal_form(bzip2(text), 3, limits) == expected);
            CHECK(normal_form(one_line, 3, limits) == flat);
            CHECK(normal_form(gzip(one_line), 3, limits) == flat);
        }
    }
    set_parallelism(before);
}

TEST_CASE("what is no text is refused at its line and column, also within a line that is cut") {
    const auto check = [](const std::string& text, const std::string& expected) {
        CAPTURE(text);
        CHECK(complaint(text) == expected);
        TextLimits small;
        small.block_bytes = 4;
        CHECK(complaint(text, 1, small) == expected);
        CHECK(complaint(gzip(text), 1, small) == expected);
    };
    check(std::string("a b\nlong line c\0d e\n", 19), "file.txt:2:12: control character \\x00 (a text has words, "
                                                      "blanks and newlines; this looks like none, and not like "
                                                      "gzip, bzip2, xz or zstd); name a text, or remove the character");
    check("a b c d e f \x1b[0m g\n", "file.txt:1:13: control character \\x1b (a text has words, blanks and newlines; "
                                     "this looks like none, and not like "
                                     "gzip, bzip2, xz or zstd); name a text, or remove the character");
    check("caf\xE9 au lait\n",
          "file.txt:1:4: byte \\xe9 in 'caf\\xe9' (it is no UTF-8); convert the text, such as with iconv "
          "-f latin1 -t utf-8");
}

TEST_CASE("bytes of words are UTF-8 by the table of RFC 3629") {
    for (const char* good : {"\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEF\xBF\xBF", "\xF0\x90\x80\x80",
                             "\xF4\x8F\xBF\xBF", "\xE2\x82\xAC"})
        CHECK(complaint(good) == "accepted");
    for (const char* bad : {"\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x82",
                            "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
        CAPTURE(bad);
        CHECK(complaint(bad).find("it is no UTF-8") != std::string::npos);
    }
}

TEST_CASE("a word of more than 255 bytes counts as none; a mebibyte without a blank is no text") {
    const std::string longest(255, 'x');
    CHECK(normal_form("a " + longest + " " + longest + "y b") == "a b " + longest + " : / a " + longest + " b");
    CHECK(read_tokens("a " + longest + "y", "f", {}, 1).long_words == 1);
    const std::string endless = "a\n" + std::string((1 << 20) + 1, 'x') + " b\n";
    CHECK(complaint(endless) ==
          "file.txt:2: more than 1048576 bytes without a blank (the limit against files that are no "
          "text); check the file");
    CHECK(complaint(gzip(endless)) == complaint(endless));
}

TEST_CASE("a text without words, or without any often enough, is refused") {
    for (const char* text : {"", "\n\n", " \t\r\n"}) {
        CHECK(complaint(text) ==
              "file.txt holds no word (it is empty, or blanks only); check that it is the file you mean");
    }
    CHECK(complaint("a b b", 3) ==
          "file.txt has no word that occurs 3 times (the most frequent one occurs 2 times); use "
          "--min-count 2 or less, or a longer text");
    TextLimits limits;
    limits.max_array_bytes = 10;
    CHECK(complaint("a b c d", 1, limits).starts_with("file.txt does not fit into memory"));
    CHECK(complaint(gzip("a b c d").substr(0, 15)).starts_with("file.txt"));
}

TEST_CASE("negatives are drawn by count to the power of 3/4, rarity is one over the root of a word's share") {
    TokensArray array;
    array.tokens = PageArray<std::uint32_t>(10'000);
    const std::vector<std::uint64_t> counts{6'000, 3'000, 900, 80, 16, 3, 1};
    set_word_tables(array, counts);
    double sum = 0;
    for (const std::uint64_t count : counts) sum += std::pow(static_cast<double>(count), 0.75);
    std::vector<double> exact(counts.size());
    for (std::size_t slot = 0; slot < counts.size(); ++slot) { // what the slots give in all
        const double own = array.noise[slot].threshold / 4294967296.0, each = 1.0 / static_cast<double>(counts.size());
        exact[slot] += own * each;
        exact[array.noise[slot].alias] += (1 - own) * each;
    }
    for (std::size_t w = 0; w < counts.size(); ++w) {
        CHECK(exact[w] == doctest::Approx(std::pow(static_cast<double>(counts[w]), 0.75) / sum).epsilon(1e-6));
        CHECK(array.rarity[w] == doctest::Approx(std::sqrt(10'000.0 / static_cast<double>(counts[w]))));
    }
}

} // namespace
} // namespace hogwild
