// The samples of an epoch in shares: batches of consecutive positions, each cut into so many parts, as equal as can be. A share that
// was taken for nothing is given back, and is the next one again.
//
// Thread-safety: none; whoever uses it has been handed it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

namespace hogwild {

/// Positions [first, first + count) of an epoch's order.
struct Share {
    std::uint32_t first, count;

    friend bool operator==(const Share&, const Share&) = default;
};

class ShareQueue {
public:
    /// For epochs of `rows` samples, with batches of 1 to `rows`.
    ShareQueue(std::uint32_t rows, std::uint32_t batch, std::uint32_t parts)
        : rows_(rows), batch_(batch), parts_(parts) {}

    /// An epoch, from this position on. Precondition: all shares of the last one have been taken, and none is given back.
    void begin_at(std::uint32_t position) { next_ = position; }

    /// The next share, never an empty one while samples are left; then `count` is 0.
    Share take() {
        if (shares_.empty()) cut();
        if (shares_.empty()) return {rows_, 0};
        const Share share = shares_.front();
        shares_.pop_front();
        return share;
    }

    void give_back(const Share& share) {
        if (share.count > 0) shares_.push_front(share);
    }

private:
    void cut() {
        const std::uint32_t count = std::min(batch_, rows_ - next_);
        const auto bound = [&](std::uint32_t part) {
            return next_ + static_cast<std::uint32_t>(std::uint64_t{count} * part / parts_);
        };
        for (std::uint32_t part = 0; part < parts_; ++part) {
            if (bound(part) < bound(part + 1)) shares_.push_back({bound(part), bound(part + 1) - bound(part)});
        }
        next_ += count;
    }

    std::uint32_t rows_, batch_, parts_;
    std::uint32_t next_ = 0;
    std::deque<Share> shares_;
};

} // namespace hogwild
