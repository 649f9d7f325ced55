#include "engine/data/words/vocabulary.h"

#include "engine/machine/content_hash.h"

#include <algorithm>

namespace hogwild {
namespace {

constexpr std::uint32_t kFree = ~0u;

} // namespace

std::uint32_t Vocabulary::add(std::string_view word) {
    if (2 * ends_.size() >= slots_.size()) grow();
    std::uint32_t& slot = slots_[slot_of(word)];
    if (slot != kFree) return slot;
    slot = size();
    text_ += word;
    ends_.push_back(text_.size());
    return slot;
}

std::optional<std::uint32_t> Vocabulary::find(std::string_view word) const {
    if (slots_.empty()) return {};
    const std::uint32_t id = slots_[slot_of(word)];
    return id == kFree ? std::nullopt : std::optional(id);
}

std::size_t Vocabulary::slot_of(std::string_view word) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = content_hash(word) & mask;
    while (slots_[slot] != kFree && this->word(slots_[slot]) != word) slot = (slot + 1) & mask;
    return slot;
}

void Vocabulary::grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), kFree);
    for (std::uint32_t id = 0; id < size(); ++id) slots_[slot_of(word(id))] = id;
}

} // namespace hogwild
