#include "engine/data/libsvm_assembly.h"

#include "engine/error.h"
#include "engine/machine/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <utility>

#include <fmt/format.h>

namespace hogwild {

void LibsvmAssembly::parse(const std::vector<std::string_view>& blocks, const std::function<void()>& beside) {
    std::vector<LibsvmBlock> parsed(blocks.size());
    std::exception_ptr trouble_beside;
    std::atomic<std::uint64_t> first_fault{blocks.size()}; // blocks behind a faulty one need not be parsed
    std::atomic<std::uint64_t> array_bytes{array_bytes_};
    parallel_for(blocks.size() + 1, 1, [&](std::uint64_t begin, std::uint64_t end) {
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
            parsed[i] = parse_libsvm_block(blocks[i]);
            array_bytes.fetch_add(parsed[i].bytes(), std::memory_order_relaxed);
            if (!parsed[i].fault) continue;
            std::uint64_t first = first_fault.load(std::memory_order_relaxed);
            while (i < first && !first_fault.compare_exchange_weak(first, i, std::memory_order_relaxed)) {}
        }
    });
    array_bytes_ = array_bytes.load(std::memory_order_relaxed);
    if (array_bytes_ > max_array_bytes_) {
        throw Error(name_ + " does not fit into memory",
                    fmt::format("its arrays exceed the limit of {} bytes", max_array_bytes_),
                    "use a part of the file, or a machine with more memory");
    }
    for (LibsvmBlock& block : parsed) append(std::move(block));
    if (trouble_beside) std::rethrow_exception(trouble_beside);
}

void LibsvmAssembly::append(LibsvmBlock block) {
    if (block.fault) {
        const TextFault& fault = *block.fault;
        throw Error(fmt::format("{}:{}:{}: {}", name_, lines_ + fault.line, fault.column, fault.what), fault.why,
                    fault.suggestion);
    }
    lines_ += block.lines;
    rows_ += block.rows;
    nonzeros_ += block.nonzeros;
    columns_ = std::max(columns_, block.columns);
    if (block.rows > 0) blocks_.push_back(std::move(block));
}

std::shared_ptr<SparseArrays> LibsvmAssembly::finish() {
    if (rows_ == 0)
        throw Error(name_ + " holds no sample", "it is empty, or comments only", "check that it is the file you mean");
    if (nonzeros_ == 0)
        throw Error(name_ + " holds no feature", "its lines are labels only", "check that it is the file you mean");
    auto arrays = std::make_shared<SparseArrays>(rows_, nonzeros_, columns_);
    struct Place {
        std::uint64_t row, nonzero;
    };
    std::vector<Place> places;
    Place next{0, 0};
    for (const LibsvmBlock& block : blocks_) {
        places.push_back(next);
        next = {next.row + block.rows, next.nonzero + block.nonzeros};
    }
    // Blocks are taken in order, whatever the split, so that all threads fill neighbouring huge pages while the blocks
    // behind them are freed; spread over the arrays, every thread would hold pages of its own, filled to a fraction.
    std::atomic<std::size_t> next_block{0};
    parallel_for(blocks_.size(), 1, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t turn = begin; turn < end; ++turn) {
            const std::size_t i = next_block.fetch_add(1, std::memory_order_relaxed);
            const LibsvmBlock block = std::move(blocks_[i]); // freed at the end of this turn
            const Place place = places[i];
            std::copy_n(block.labels.data(), block.rows, arrays->labels.data() + place.row);
            std::copy_n(block.indices.data(), block.nonzeros, arrays->indices.data() + place.nonzero);
            std::copy_n(block.values.data(), block.nonzeros, arrays->values.data() + place.nonzero);
            std::uint64_t offset = place.nonzero;
            for (std::uint64_t row = 0; row < block.rows; ++row) {
                offset += block.lengths[row];
                arrays->offsets[place.row + row + 1] = offset;
            }
        }
    });
    return arrays;
}

} // namespace hogwild
