#include "engine/schemes/conflicts/window.h"

#include "kernels/updates/guards/stripes.h"

#include <algorithm>

namespace hogwild {
namespace {

/// Holds a lock word for a scope.
class Held {
public:
    Held(LockWord& lock, bool yields) : lock_(lock) { take(lock_, yields); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() { release(lock_); }

private:
    LockWord& lock_;
};

} // namespace

ConflictWindow::ConflictWindow(const Timeline& timeline, Conflicts& conflicts, std::uint64_t first, bool yields)
    : timeline_(timeline),
      conflicts_(conflicts),
      yields_(yields),
      samples_(std::uint64_t{timeline.rows()} * timeline.epochs()),
      stretch_(first),
      end_(end_of(first)),
      next_(first),
      last_worker_(Conflicts::kRanges, kNobody),
      held_(Conflicts::kRanges) {}

ConflictWindow::Piece ConflictWindow::claim(std::uint64_t stretch, unsigned worker) {
    const Held lock(lock_, yields_);
    if (stretch_.load(std::memory_order_relaxed) != stretch) return {};
    extend();
    ++look_;
    Entry* chosen = nullptr;
    for (std::uint64_t i = first_; i < last_; ++i) {
        Entry& entry = entries_[i % kAhead];
        if (entry.state == State::kDone) continue;
        if (entry.state == State::kWaiting && is_free(entry)) {
            const bool own = !is_anothers(entry, worker);
            if (chosen == nullptr || own) chosen = &entry;
            if (own) break;
        }
        hold(entry);
    }
    if (chosen == nullptr) return {};
    chosen->state = State::kWalking;
    for (const std::uint32_t range : chosen->touched) last_worker_[range] = worker;
    return {chosen->positions, static_cast<std::uint32_t>(chosen - entries_.data())};
}

bool ConflictWindow::done(const Piece& piece) {
    const Held lock(lock_, yields_);
    entries_[piece.place].state = State::kDone;
    while (first_ < last_ && entries_[first_ % kAhead].state == State::kDone) ++first_;
    if (first_ < last_ || next_ < end_) return false;
    const std::uint64_t begin = end_;
    end_ = end_of(begin);
    stretch_.store(begin, std::memory_order_release); // who goes on to it sees all weights before it
    return true;
}

std::uint64_t ConflictWindow::end_of(std::uint64_t stretch) const {
    if (stretch == samples_) return samples_;
    return timeline_.updates_after(timeline_.stretch_end(timeline_.chunk_of(stretch)) - 1);
}

/// Fills the window.
void ConflictWindow::extend() {
    for (; last_ - first_ < kAhead && next_ < end_; ++last_) {
        Entry& entry = entries_[last_ % kAhead];
        const std::uint32_t rows = timeline_.rows();
        const auto epoch = static_cast<std::uint32_t>(next_ / rows), first = static_cast<std::uint32_t>(next_ % rows);
        const auto end = first + static_cast<std::uint32_t>(end_ - next_); // a stretch lies in one epoch
        entry.positions = {epoch, first, conflicts_.piece(epoch, first, end, entry.touched)};
        entry.state = State::kWaiting;
        next_ += entry.positions.count;
    }
}

bool ConflictWindow::is_free(const Entry& entry) const {
    return std::ranges::none_of(entry.touched, [this](std::uint32_t range) { return held_[range] == look_; });
}

bool ConflictWindow::is_anothers(const Entry& entry, unsigned worker) const {
    if (entry.touched.empty()) return false;
    const unsigned last = last_worker_[entry.touched[0]];
    return last != worker && last != kNobody;
}

void ConflictWindow::hold(const Entry& entry) {
    for (const std::uint32_t range : entry.touched) held_[range] = look_;
}

} // namespace hogwild
