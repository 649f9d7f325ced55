#include "engine/data/sparse/libsvm.h"
#include "engine/data/text/decompress.h"
#include "engine/error.h"
#include "tests/engine/data/compress.h"
#include "tests/engine/data/samples.h"

#include <doctest/doctest.h>

#include <string>

namespace hogwild {
namespace {

std::string many_lines() {
    std::string text;
    for (int i = 1; i <= 5000; ++i) {
        text.append(i % 2 == 0 ? "1" : "-1").append(" 3:0.25 ").append(std::to_string(3 + i)).append(":1.5\n");
    }
    return text;
}

std::string complaint(const std::string& stored, const TextLimits& limits = {}) {
    try {
        read_libsvm(stored, "file", limits);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST_CASE("compressed text reads as the plain one, whatever the windows") {
    const std::string text = many_lines();
    const LibsvmData plain = read_libsvm(text, "f");
    for (const Format& format : formats()) {
        CAPTURE(format.name);
        const std::string stored = format.pack(text);
        CHECK(detect_compression(stored) != Compression::kNone);
        for (const std::uint64_t block : {0, 1, 100, 4096, 1000000}) {
            TextLimits limits;
            limits.block_bytes = block;
            const LibsvmData data = read_libsvm(stored, "f", limits);
            CHECK(difference(plain.arrays->view(), data.arrays->view()) == "");
            CHECK(data.text_bytes == text.size());
        }
        // No final newline, and a byte order mark.
        const LibsvmData bare = read_libsvm(format.pack("\xEF\xBB\xBF" + text.substr(0, text.size() - 1)), "f");
        CHECK(difference(plain.arrays->view(), bare.arrays->view()) == "");
    }
}

TEST_CASE("concatenated members, streams and frames are one text") {
    const std::string text = many_lines();
    const LibsvmData plain = read_libsvm(text, "f");
    for (const Format& format : formats()) {
        CAPTURE(format.name);
        std::string stored; // the first cut lies inside a line, the second part is empty
        stored += format.pack(text.substr(0, 1001));
        stored += format.pack("");
        stored += format.pack(text.substr(1001));
        const LibsvmData data = read_libsvm(stored, "f");
        CHECK(difference(plain.arrays->view(), data.arrays->view()) == "");
    }
}

TEST_CASE("gzip's padding of zeros is no data, other bytes behind it are an error") {
    CHECK(complaint(gzip("1 1:1\n") + std::string(512, '\0')) == "accepted");
    CHECK(complaint(gzip("1 1:1\n") + "garbage") ==
          "file: cannot decompress gzip data (incorrect header check); download or copy the file again");
}

TEST_CASE("a truncated file is an error at every length, never half a dataset") {
    for (const Format& format : formats()) {
        CAPTURE(format.name);
        const std::string stored = format.pack(many_lines());
        const std::string truncated = "file: cannot decompress " + std::string(format.name) +
                                      " data (the file ends early); download or copy it again";
        for (const std::size_t kept : {stored.size() - 1, stored.size() - 4, stored.size() / 2, std::size_t{20}}) {
            CHECK(complaint(stored.substr(0, kept)) == truncated);
        }
    }
}

TEST_CASE("a damaged byte is noticed") {
    for (const Format& format : formats()) {
        if (std::string(format.name) == "zstd") continue; // its simple interface stores no checksum
        CAPTURE(format.name);
        std::string stored = format.pack(many_lines());
        stored[stored.size() / 2] = static_cast<char>(stored[stored.size() / 2] ^ 0x55);
        CHECK(complaint(stored).starts_with("file"));
    }
}

TEST_CASE("a fault in compressed text has its line and column, and comes before damage behind it") {
    std::string text = many_lines();
    text.insert(text.find("-1 3:0.25 2002:"), "1 7:x\n");
    for (const Format& format : formats()) {
        const std::string stored = format.pack(text);
        TextLimits limits;
        limits.block_bytes = 512;
        CHECK(complaint(stored, limits).starts_with("file:1999:5: 'x' is no number "));
        CHECK(complaint(stored + format.pack(many_lines()).substr(0, 40), limits)
                  .starts_with("file:1999:5: 'x' is no number "));
    }
}

TEST_CASE("a gzip bomb ends at the limits, before it is stored") {
    std::string lines;
    for (int i = 0; i < 1 << 20; ++i) lines += "1 1:1\n";
    const std::string stored = gzip(lines);
    TextLimits limits;
    limits.max_text_bytes = 1 << 20;
    CHECK(complaint(stored, limits) ==
          "file is too large (its text exceeds the limit of 1048576 bytes); split the file or raise the limit");
    limits = {};
    limits.max_array_bytes = 1 << 20;
    CHECK(complaint(stored, limits)
              .starts_with("file does not fit into memory (its arrays exceed the limit of 1048576 bytes)"));
    // One endless line: the window must not grow for ever.
    limits = {};
    limits.max_line_bytes = 1 << 20;
    CHECK(complaint(gzip(std::string(1 << 24, '1')), limits).starts_with("file:1:1: line longer than 1048576 bytes"));
}

// Hundreds of windows, of which each is read as any other.
TEST_CASE("a gzip bomb ends where it expands suspiciously" * doctest::test_suite("not under ThreadSanitizer")) {
    std::string lines;
    for (int i = 0; i < 1 << 20; ++i) lines += "1 1:1\n";
    const std::string stored = gzip(lines);
    std::string bomb;
    for (int i = 0; i < 50; ++i) bomb += stored;
    TextLimits limits;
    limits.max_ratio = 100; // judged above 256 MiB
    CHECK(complaint(bomb, limits).starts_with("file expands suspiciously (to more than 100 times its size)"));
}

TEST_CASE("only the first bytes tell a compressed file") {
    CHECK(detect_compression("") == Compression::kNone);
    CHECK(detect_compression("1 1:1") == Compression::kNone);
    CHECK(detect_compression("\x1F") == Compression::kNone);
    CHECK(detect_compression("BZ") == Compression::kNone);
    CHECK(detect_compression("BZhx") == Compression::kNone);
    CHECK(detect_compression("\x50\x2A\x4D\x18") == Compression::kZstd); // a skippable frame
}

} // namespace
} // namespace hogwild
