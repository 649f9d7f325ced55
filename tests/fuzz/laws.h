// What every fuzzed reader of text is held to. The first byte of an input chooses the block size, so that lines meet block
// boundaries; the rest is the file.
#pragma once

#include "engine/data/text/text_source.h"
#include "engine/error.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace hogwild {

inline void demand(bool holds, const std::string& law) {
    if (holds) return;
    std::fprintf(stderr, "broken law: %s\n", law.c_str());
    std::abort();
}

/// An Error has the grammar `what (why); try`.
inline void demand_grammar(std::string_view message) {
    demand(message.find(" (") != std::string_view::npos && message.find("); ") != std::string_view::npos,
           "the grammar of a message: " + std::string(message));
}

/// Of texts that are not read in blocks: check(text) reads all of the input.
template <class Check>
int fuzz_text(const std::uint8_t* bytes, std::size_t size, const Check& check) {
    try {
        check(std::string_view(reinterpret_cast<const char*>(bytes), size));
    } catch (const Error& error) {
        demand_grammar(error.what());
    }
    return 0;
}

/// check(file, limits) reads the file by the name `fuzz` and demands what is its own; an Error has the grammar `what (why); try`.
template <class Check>
int fuzz(const std::uint8_t* bytes, std::size_t size, const Check& check) {
    if (size == 0) return 0;
    TextLimits limits;
    limits.block_bytes = bytes[0];
    limits.max_text_bytes = 1 << 22;
    limits.max_line_bytes = 1 << 20;
    try {
        check(std::string_view(reinterpret_cast<const char*>(bytes) + 1, size - 1), limits);
    } catch (const Error& error) {
        const std::string_view message = error.what();
        demand(message.starts_with("fuzz"), "the message names the file: " + std::string(message));
        demand_grammar(message);
        demand(message.size() < 400, "a message is short");
    }
    return 0;
}

} // namespace hogwild
