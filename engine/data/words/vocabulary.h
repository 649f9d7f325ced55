// Words and their ids: 0, 1, ... in the order in which they were added.
//
// Words lie one behind the other in one text. They are found through a table of ids with open addressing (XXH3, linear
// probing, at most half full). A word takes about 16 bytes beside its own. Thread-safety: that of a container; any
// number of threads may look up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

class Vocabulary {
public:
    std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }

    std::string_view word(std::uint32_t id) const {
        const std::uint64_t begin = id == 0 ? 0 : ends_[id - 1];
        return std::string_view(text_).substr(begin, ends_[id] - begin);
    }

    /// The word's id; a new word gets the next.
    std::uint32_t add(std::string_view word);

    std::optional<std::uint32_t> find(std::string_view word) const;

private:
    /// Where the word is, or where it would be.
    std::size_t slot_of(std::string_view word) const;

    void grow();

    std::string text_;
    std::vector<std::uint64_t> ends_;  // of each word in the text
    std::vector<std::uint32_t> slots_; // ids; kFree where there is none
};

} // namespace hogwild
