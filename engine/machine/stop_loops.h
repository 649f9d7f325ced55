// Loops that somebody may end early.
//
// While a StopLoops lives, parallel_for and parallel_map (engine/machine/parallel.h), called by its thread, leave out every
// block that has not begun when `stop` is true. They return as usual, and what they made is of no use then. Who reads
// `stop` as false after a loop knows that it was whole. Scopes nest; the inner one counts. Loops that bodies start know
// nothing of it.
//
// Thread-safety: one scope is of one thread; anybody may set `stop`.
#pragma once

#include <atomic>

namespace hogwild {

class StopLoops {
public:
    /// `stop` outlives the scope; null: nobody ends a loop.
    explicit StopLoops(const std::atomic<bool>* stop);
    ~StopLoops();
    StopLoops(const StopLoops&) = delete;
    StopLoops& operator=(const StopLoops&) = delete;

private:
    const std::atomic<bool>* outer_;
};

} // namespace hogwild
