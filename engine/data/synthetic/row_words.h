// The distinct words of one generated row, with how often each was drawn. Scratch memory of one thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace hogwild {

class RowWords {
public:
    struct Word {
        std::uint32_t rank;
        std::uint32_t count;
    };

    /// Forgets the last row; `length` is the number of distinct words to come.
    void clear(std::uint32_t length) {
        words_.clear();
        table_.assign(std::bit_ceil(std::uint64_t{2} * length), 0);
        shift_ = 64 - std::countr_zero(table_.size());
    }

    void add(std::uint32_t rank) {
        for (std::uint64_t slot = (rank * 0x9E3779B97F4A7C15) >> shift_;; slot = (slot + 1) & (table_.size() - 1)) {
            if (table_[slot] == 0) {
                words_.push_back({rank, 1});
                table_[slot] = static_cast<std::uint32_t>(words_.size());
                return;
            }
            if (words_[table_[slot] - 1].rank == rank) {
                ++words_[table_[slot] - 1].count;
                return;
            }
        }
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(words_.size()); }
    const std::vector<Word>& words() const { return words_; }
    std::vector<std::uint64_t>& order() { return order_; } // for whoever sorts the words

private:
    std::vector<Word> words_;
    std::vector<std::uint32_t> table_; // open addressing; position in words_ plus one, 0 = free
    std::vector<std::uint64_t> order_;
    int shift_ = 63;
};

} // namespace hogwild
