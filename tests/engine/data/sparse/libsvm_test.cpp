#include "engine/data/sparse/libsvm.h"
#include "engine/data/sparse/write_libsvm.h"
#include "engine/error.h"
#include "engine/machine/parallel.h"
#include "tests/engine/data/samples.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace hogwild {
namespace {

std::string complaint(const std::string& text, const TextLimits& limits = {}) {
    try {
        read_libsvm(text, "file.svm", limits);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kError);
        return error.what();
    }
    return "accepted";
}

/// One sample as text, to compare with.
std::string normal_form(const std::string& text, const TextLimits& limits = {}) {
    const LibsvmData data = read_libsvm(text, "file.svm", limits);
    const SparseView view = data.arrays->view();
    CHECK(broken_promise(view) == "");
    return libsvm_text(view, 0, view.rows);
}

TEST_CASE("every accepted way of writing the same samples reads the same") {
    const std::string expected = "+1 1:0.5 3:2\n-1 2:1\n";
    for (const char* text : {
             "1 1:0.5 3:2\n-1 2:1\n", "+1 1:.5 3:2.0\n-1.0 2:1e0\n",
             "1 1:0.5 3:2\n-1 2:1",       // no final newline
             "1 1:0.5 3:2\r\n-1 2:1\r\n", // CR LF
             "1 1:0.5 3:2\r\n-1 2:1\r",   // CR, then the end: the newline is supplied
             "\xEF\xBB\xBF"
             "1 1:0.5 3:2\n-1 2:1\n",                     // byte order mark
             "\n\n1 1:0.5 3:2\n  \n\t\n-1 2:1\n\n",       // blank lines
             "  1\t1:0.5  3:2  \n-1 2:1\t\n",             // blanks and tabs
             "# head 9:9\n1 1:0.5 3:2 # 7:7\n-1 2:1#x\n", // comments
             "1 001:0.5 000000000003:2\n-1 2:1\n",        // leading zeros
         }) {
        CAPTURE(text);
        CHECK(normal_form(text) == expected);
    }
}

TEST_CASE("a sample may have no feature, and an entry may be zero") {
    CHECK(normal_form("1\n-1 4:0\n0 #\n") == "+1\n-1 4:0\n0\n");
}

TEST_CASE("the largest index is 2^32 - 1") {
    CHECK(read_libsvm("1 4294967295:1\n", "f").arrays->view().columns == 4294967295U);
    CHECK(normal_form("1 1:1 4294967295:1\n") == "+1 1:1 4294967295:1\n");
}

TEST_CASE("bad input is refused at its line and column, with a reason and a way out") {
    const auto check = [](const std::string& text, const std::string& expected) {
        CAPTURE(text);
        CHECK(complaint(text) == expected);
        // The same fault behind a hundred good lines, cut into many blocks.
        std::string before;
        for (int i = 0; i < 100; ++i) before += "1 1:1\n";
        TextLimits small;
        small.block_bytes = 32;
        const std::size_t colon = expected.find(':') + 1;
        const std::size_t digits = expected.find(':', colon) - colon;
        const std::string line = std::to_string(100 + std::stoi(expected.substr(colon, digits)));
        CHECK(complaint(before + text, small) == expected.substr(0, colon) + line + expected.substr(colon + digits));
    };
    check("1 1:nan\n", "file.svm:1:5: value 'nan' (values are finite numbers); remove or repair the entry");
    check("1 1:-inf\n", "file.svm:1:5: value '-inf' (values are finite numbers); remove or repair the entry");
    check("1 1:1e400\n", "file.svm:1:5: value '1e400' (larger than the largest float, 3.4e38); rescale the feature");
    check("1 1:1\n1 0:1\n", "file.svm:2:3: index 0 (indices start at 1); add 1 to every index of the file");
    check("1 -2:1\n", "file.svm:1:3: negative index '-2:1' (indices start at 1); renumber the features from 1");
    check("1 3:1 2:1\n",
          "file.svm:1:7: index 2 after 3 (indices rise along a line); sort the entries of each line by index");
    check("1 3:1 3:1\n", "file.svm:1:7: index 3 twice (an index occurs at most once in a line); merge the two entries");
    check("1 4294967297:1\n",
          "file.svm:1:3: index '4294967297:1' is too large (the largest is 4294967295); renumber or hash the features");
    check("1 99999999999999999999999:1\n", "file.svm:1:3: index '99999999999999999999999:1' is too large (the largest "
                                           "is 4294967295); renumber or hash the features");
    check("1 2 3:1\n", "file.svm:1:3: '2' is no index:value (a ':' must follow the index); write index:value");
    check("1 2:\n", "file.svm:1:5: no value after ':' (an entry is index:value without blanks); write the value, or "
                    "drop the entry");
    check("1 2: 3\n", "file.svm:1:5: no value after ':' (an entry is index:value without blanks); write the value, or "
                      "drop the entry");
    check("1 2:3x\n",
          "file.svm:1:5: '3x' is no number (a value is a decimal number such as 0.25 or 1e-3); repair the entry");
    check("1 2:1:1\n",
          "file.svm:1:5: '1:1' is no number (a value is a decimal number such as 0.25 or 1e-3); repair the entry");
    check("1 a:3\n", "file.svm:1:3: 'a:3' is no index:value (the index is a whole number from 1); repair the line, or "
                     "put '#' before a comment");
    check("1 qid:3 1:1\n",
          "file.svm:1:3: query id 'qid:3' (ranking data has no meaning for these problems); remove the qid: entries");
    check("1:1 2:1\n", "file.svm:1:1: no label before '1:1' (a line is 'label index:value ...'); put a label first, "
                       "any number if there is none");
    check("1,2 1:1\n", "file.svm:1:1: labels '1,2' (a sample has one label); choose one label per sample");
    check("nan 1:1\n", "file.svm:1:1: label 'nan' (a label is a finite number); remove or repair the sample");
    check("1e99 1:1\n", "file.svm:1:1: label '1e99' (larger than the largest float, 3.4e38); rescale the labels");
    check("yes 1:1\n", "file.svm:1:1: 'yes' is no label (a line is 'label index:value ...' with numbers only); "
                       "repair the line, or put '#' before a comment");
    check("\x8fz\x03 1:1\n",
          "file.svm:1:1: '\\x8fz\\x03' is no label (it looks like no text, and not like gzip, bzip2, xz or zstd); "
          "copy the file again, or repair the line");
    check("\\x8f 1:1\n", "file.svm:1:1: '\\x8f' is no label (a line is 'label index:value ...' with numbers only); "
                         "repair the line, or put '#' before a comment"); // a backslash is text
    check("1 1:1\r2 1:1\n",
          "file.svm:1:5: '1\\x0d2' is no number (a value is a decimal number such as 0.25 or 1e-3); repair the entry");
    check(std::string("1 1:1\0\n", 7),
          "file.svm:1:5: '1\\x00' is no number (a value is a decimal number such as 0.25 or 1e-3); repair the entry");
}

TEST_CASE("of a line without any index:value the message names the problems whose samples it may hold") {
    const std::string hint = "or say what lines hold: --problem factorization (ratings), cut (edges), skipgram (words)";
    const auto hinted = [&](const std::string& text) { return complaint(text).ends_with(", " + hint); };
    for (const char* other : {"1\t2\t-7.82\n", "1 2\r\n", "1::2::5::978300760\n", "1,2,5\n", "userId,movieId,rating\n",
                              "c a graph\n", "First Citizen:\n", "1 2 3 # 4 5\n"}) {
        CAPTURE(other);
        CHECK(hinted(other));
        CHECK(hinted(std::string("1 1:1\n") + other));
    }
    for (const char* samples : {"1 2 3:1\n", "1:1 2:1\n", "1,2 1:1\n", "yes 1:1\n", "1 a:3\n", "1 1:nan\n", "1 2:\n"}) {
        CAPTURE(samples);
        CHECK_FALSE(hinted(samples));
    }
}

TEST_CASE("a file without samples or features is refused") {
    CHECK(complaint("") ==
          "file.svm holds no sample (it is empty, or comments only); check that it is the file you mean");
    CHECK(complaint("\n \n# 1 1:1\n") == complaint(""));
    CHECK(complaint("\xEF\xBB\xBF") == complaint(""));
    CHECK(complaint("1\n-1\n") ==
          "file.svm holds no feature (its lines are labels only); check that it is the file you mean");
}

TEST_CASE("the first fault of the text is the one reported, at any number of blocks") {
    std::string text;
    for (int i = 0; i < 200; ++i) text += i == 60 ? "1 0:1\n" : i > 60 && i % 7 == 0 ? "1 2:1 1:1\n" : "1 1:1 2:2\n";
    for (const std::uint64_t block : {1, 10, 100, 1000, 100000}) {
        TextLimits limits;
        limits.block_bytes = block;
        CHECK(complaint(text, limits).starts_with("file.svm:61:3: index 0 "));
    }
}

TEST_CASE("neither blocks nor threads change what is read") {
    std::mt19937 random(3);
    std::string text;
    for (int i = 0; i < 500; ++i) {
        text += std::to_string(static_cast<int>(random() % 5)) + (i % 3 == 0 ? "\t" : " ");
        for (unsigned index = 1 + random() % 50; index < 400; index += 1 + random() % 200) {
            text += std::to_string(index) + ":" + std::to_string(static_cast<double>(random() % 100000) / 777.0) + " ";
        }
        text += i % 11 == 0 ? "# 5:5\n\n" : i % 7 == 0 ? "\r\n" : "\n";
    }
    const LibsvmData whole = read_libsvm(text, "f");
    const unsigned threads = parallelism();
    for (const unsigned count : {1U, 4U}) {
        set_parallelism(count);
        for (const std::uint64_t block : {1, 7, 64, 1000, 20000}) {
            TextLimits limits;
            limits.block_bytes = block;
            const LibsvmData cut = read_libsvm(text, "f", limits);
            CHECK(difference(whole.arrays->view(), cut.arrays->view()) == "");
            CHECK(cut.arrays->columns == whole.arrays->columns);
        }
    }
    set_parallelism(threads);
}

TEST_CASE("a line of 100 MB is read, or refused briefly") {
    constexpr std::size_t kLong = kThreadSanitizer ? 10'000'000 : 100'000'000; // a minute otherwise
    std::string line = "1";
    line.reserve(kLong + 100);
    for (int index = 1; line.size() < kLong; ++index) line.append(" ").append(std::to_string(index)).append(":1");
    const LibsvmData data = read_libsvm(line, "long.svm");
    CHECK(data.arrays->view().rows == 1);
    CHECK(data.arrays->view().row(0).size == data.arrays->columns);

    line.assign(kLong, 'x');
    CHECK(complaint(line) ==
          "file.svm:1:1: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' is no label (a line is 'label index:value ...' "
          "with numbers only); repair the line, or put '#' before a comment, or say what lines hold: --problem "
          "factorization (ratings), cut (edges), skipgram (words)");
}

TEST_CASE("limits on lines, text and arrays hold exactly") {
    const std::string text = "1 1:1\n1 1:1 2:2\n";
    TextLimits limits;
    limits.max_line_bytes = 9;
    CHECK(normal_form(text, limits) == "+1 1:1\n+1 1:1 2:2\n");
    limits.max_line_bytes = 8;
    CHECK(complaint(text, limits) ==
          "file.svm:2:1: line longer than 8 bytes (the limit against files that are no LIBSVM text); "
          "check the file, or raise the limit");
    CHECK(complaint(text.substr(0, 15), limits) == complaint(text, limits)); // the last line without its newline
    limits = {};
    limits.max_text_bytes = 15;
    CHECK(complaint(text, limits) ==
          "file.svm is too large (its text exceeds the limit of 15 bytes); split the file or raise the limit");
    limits = {};
    limits.max_array_bytes = 2 * 8 + 3 * 8; // two labels and row lengths, three indices and values
    CHECK(normal_form(text, limits) == "+1 1:1\n+1 1:1 2:2\n");
    --limits.max_array_bytes;
    CHECK(complaint(text, limits) == "file.svm does not fit into memory (its arrays exceed the limit of 39 bytes); "
                                     "use a part of the file, or a machine with more memory");
}

TEST_CASE("a written dataset reads back to the same bits") {
    std::mt19937 random(4);
    SparseArrays arrays(300, 3000, 100000);
    for (std::uint64_t i = 0; i < 300; ++i) {
        arrays.offsets[i + 1] = 10 * (i + 1);
        arrays.labels[i] = i % 3 == 0 ? 1.0F : i % 3 == 1 ? -1.0F : static_cast<float>(random()) * 1e-9F;
        std::uint32_t index = 0;
        for (std::uint64_t k = 10 * i; k < 10 * (i + 1); ++k) {
            arrays.indices[k] = index += 1 + random() % 9999;
            do arrays.values[k] = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
            while (!std::isfinite(arrays.values[k]));
        }
    }
    const LibsvmData data = read_libsvm(libsvm_text(arrays.view(), 0, 300), "f");
    CHECK(difference(arrays.view(), data.arrays->view()) == "");
}

} // namespace
} // namespace hogwild
