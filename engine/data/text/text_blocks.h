// Blocks of text parsed in parallel, and what they became in the order of the text: the half of every reader that knows no
// format.
//
// A Block has `lines`, bytes() of its arrays, and an optional TextFault `fault`. Where blocks end within lines it also has `open`,
// the bytes of the line that goes on behind it.
#pragma once

#include "engine/data/text/text_source.h"
#include "engine/error.h"
#include "engine/machine/parallel.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hogwild {

template <class Block>
class TextBlocks final : public TextParser {
public:
    using Parse = std::function<Block(std::string_view)>; // of text that ends with a newline; reentrant

    TextBlocks(std::string name, std::uint64_t max_array_bytes, Parse parse)
        : name_(std::move(name)), max_array_bytes_(max_array_bytes), parse_(std::move(parse)) {}

    const std::string& name() const override { return name_; }
    std::uint64_t lines() const override { return lines_; }

    void parse(const std::vector<std::string_view>& texts, const std::function<void()>& beside,
               const std::function<void(std::string_view)>& after) override {
        std::vector<Block> parsed(texts.size());
        std::exception_ptr trouble_beside;
        std::atomic<std::uint64_t> first_fault{texts.size()}; // blocks behind a faulty one need not be parsed
        std::atomic<std::uint64_t> array_bytes{array_bytes_};
        parallel_for(texts.size() + 1, 1, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t task = begin; task < end; ++task) {
                if (task == 0) {
                    try {
                        if (beside) beside();
                    } catch (...) {
                        trouble_beside = std::current_exception();
                    }
                    continue;
                }
                const std::uint64_t i = task - 1;
                if (i > first_fault.load(std::memory_order_relaxed) ||
                    array_bytes.load(std::memory_order_relaxed) > max_array_bytes_)
                    continue;
                parsed[i] = parse_(texts[i]);
                if (after) after(texts[i]);
                array_bytes.fetch_add(parsed[i].bytes(), std::memory_order_relaxed);
                if (!parsed[i].fault) continue;
                std::uint64_t first = first_fault.load(std::memory_order_relaxed);
                while (i < first && !first_fault.compare_exchange_weak(first, i, std::memory_order_relaxed)) {}
            }
        });
        array_bytes_ = array_bytes.load(std::memory_order_relaxed);
        if (array_bytes_ > max_array_bytes_) {
            throw Error(name_ + " does not fit into memory",
                        "its arrays exceed the limit of " + std::to_string(max_array_bytes_) + " bytes",
                        "use a part of the file, or a machine with more memory");
        }
        for (Block& block : parsed) append(std::move(block));
        if (trouble_beside) std::rethrow_exception(trouble_beside);
    }

    /// So many lines before the coming block are no part of any.
    void skip(std::uint64_t lines) { lines_ += lines; }

    /// All of them so far; a caller that has done with one may free it.
    std::vector<Block>& blocks() { return blocks_; }

private:
    void append(Block block) {
        if (block.fault) {
            const TextFault& fault = *block.fault;
            const std::uint64_t column = fault.column + (fault.line == 1 ? open_ : 0);
            throw Error(name_ + ':' + std::to_string(lines_ + fault.line) + ':' + std::to_string(column) + ": " +
                            fault.what,
                        fault.why, fault.suggestion);
        }
        lines_ += block.lines;
        if constexpr (requires { block.open; }) open_ = block.open + (block.lines == 0 ? open_ : 0);
        blocks_.push_back(std::move(block));
    }

    std::string name_;
    std::uint64_t max_array_bytes_;
    Parse parse_;
    std::vector<Block> blocks_;
    std::uint64_t lines_ = 0;
    std::uint64_t open_ = 0; // bytes of the line that the coming block goes on with
    std::uint64_t array_bytes_ = 0;
};

} // namespace hogwild
