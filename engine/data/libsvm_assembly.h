// Parses blocks of text in parallel and joins what they hold into one set of arrays, in the order of the text.
#pragma once

#include "engine/data/libsvm_block.h"
#include "engine/data/sparse_arrays.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// Not thread-safe: one caller, whose calls use all threads inside.
class LibsvmAssembly {
public:
    LibsvmAssembly(std::string name, std::uint64_t max_array_bytes)
        : name_(std::move(name)), max_array_bytes_(max_array_bytes) {}

    /// Parses the blocks, which follow those of earlier calls; `beside` runs once at the same time. Throws Error for
    /// the first fault in the order of the text, which comes before whatever `beside` throws.
    void parse(const std::vector<std::string_view>& blocks, const std::function<void()>& beside = {});

    /// The arrays; throws Error when there is no sample or no feature. Ends the life of this assembly.
    std::shared_ptr<SparseArrays> finish();

    const std::string& name() const { return name_; }
    std::uint64_t lines() const { return lines_; } // of all blocks so far

private:
    void append(LibsvmBlock block);

    std::string name_;
    std::uint64_t max_array_bytes_;
    std::vector<LibsvmBlock> blocks_;
    std::uint64_t lines_ = 0;
    std::uint64_t rows_ = 0;
    std::uint64_t nonzeros_ = 0;
    std::uint32_t columns_ = 0;
    std::uint64_t array_bytes_ = 0;
};

} // namespace hogwild
