#include "engine/machine/parallel.h"

#include "engine/machine/cores.h"
#include "engine/machine/happens_before.h"
#include "engine/machine/limits/limits.h"
#include "engine/machine/stop_loops.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <latch>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

namespace hogwild {
namespace {

using Blocks = tbb::blocked_range<std::uint64_t>;

// A thread of oneTBB runs the library's templates from the moment it enters the arena until it leaves.
class HideWorkers : public tbb::task_scheduler_observer {
public:
    explicit HideWorkers(tbb::task_arena& arena) : task_scheduler_observer(arena) { observe(true); }
    HideWorkers(const HideWorkers&) = delete;
    HideWorkers& operator=(const HideWorkers&) = delete;
    ~HideWorkers() override { observe(false); }

    void on_scheduler_entry(bool) override { happens_before::hide(); }
    void on_scheduler_exit(bool) override { happens_before::show(); }
};

// The limit is raised beside the arena's size: alone, oneTBB never starts more threads than the machine has cores.
struct Pool {
    explicit Pool(unsigned count)
        : threads(count), limit(tbb::global_control::max_allowed_parallelism, count), arena(static_cast<int>(count)) {}

    unsigned threads;
    tbb::global_control limit;
    tbb::task_arena arena;
};

/// Starts and ends as many threads as oneTBB may start: where the system refuses one of them to one of its own threads, the library
/// ends the process. Errors: Error where they cannot be started, by the limit that is met.
void require_threads(unsigned count) {
    std::latch begin(1);
    std::vector<std::jthread> started;
    try {
        while (started.size() + 1 < count) started.emplace_back([&begin] { begin.wait(); });
    } catch (const std::system_error& error) {
        begin.count_down();
        throw error_of(error);
    }
    begin.count_down();
}

// The process's pool. Under the sanitizer its threads are joined at exit. The library, left to itself, lets the last of
// them free what others have read, under synchronisation that is out of sight. An observer lives until then, so that no
// thread that is late to leave its arena ends hidden.
class Scheduler {
public:
    Scheduler() {
        const happens_before::HideLibrary hide;
        if constexpr (happens_before::kStated) handle_ = tbb::task_scheduler_handle(tbb::attach{});
    }
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;
    ~Scheduler() {
        const happens_before::HideLibrary hide;
        pool_.reset();
        if constexpr (happens_before::kStated) tbb::finalize(handle_, std::nothrow);
    }

    Pool& pool() {
        const std::lock_guard lock(mutex_);
        if (!pool_) start(usable_cores());
        return *pool_;
    }

    void resize(unsigned threads) {
        const std::lock_guard lock(mutex_);
        const happens_before::HideLibrary hide;
        pool_.reset(); // first: of two limits in force, oneTBB takes the smaller
        start(threads);
    }

private:
    void start(unsigned threads) {
        require_threads(threads);
        const happens_before::HideLibrary hide;
        pool_ = std::make_unique<Pool>(threads);
        if constexpr (happens_before::kStated) observers_.push_back(std::make_unique<HideWorkers>(pool_->arena));
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<HideWorkers>> observers_;
    tbb::task_scheduler_handle handle_;
    std::unique_ptr<Pool> pool_;
};

Scheduler& scheduler() {
    static Scheduler instance;
    return instance;
}

/// What the innermost StopLoops of this thread watches.
thread_local const std::atomic<bool>* stop_of_thread = nullptr;

// One parallel_for: what its blocks share, and the two tokens of its fork and its join.
struct Loop {
    const std::function<void(std::uint64_t, std::uint64_t)>& body;
    std::uint64_t count;
    std::uint64_t grain;
    const std::atomic<bool>* stop = stop_of_thread;
    char fork = 0;
    char join = 0;

    void run(std::uint64_t first_block, std::uint64_t last_block) const {
        for (std::uint64_t block = first_block; block < last_block; ++block) {
            if (stop != nullptr && stop->load(std::memory_order_relaxed)) return;
            const std::uint64_t begin = block * grain;
            body(begin, std::min(begin + grain, count));
        }
    }
};

// Runs user code on a thread of the pool; the join is stated on the way out by return and by exception alike.
class InsideFork {
public:
    explicit InsideFork(Loop& loop) : loop_(loop) { happens_before::observe(&loop.fork); }
    InsideFork(const InsideFork&) = delete;
    InsideFork& operator=(const InsideFork&) = delete;
    ~InsideFork() { happens_before::publish(&loop_.join); }

private:
    happens_before::ShowCaller show_;
    Loop& loop_;
};

// By value: the library's range is read before the caller's code is shown to the sanitizer.
void run_forked(Loop& loop, std::uint64_t first_block, std::uint64_t last_block) {
    const InsideFork inside(loop);
    loop.run(first_block, last_block);
}

/// What oneTBB throws where the system gives it no thread is an exception of texts alone.
[[noreturn]] void rethrow_named() {
    try {
        throw;
    } catch (const std::runtime_error& error) {
        if (!std::string_view(error.what()).starts_with("pthread_create has failed")) throw;
        throw Error("threads cannot be started", reason_of_start(EAGAIN), remedy_of_start(EAGAIN));
    }
}

void run_in_arena(Pool& pool, Loop& loop, std::uint64_t blocks) {
    const happens_before::HideLibrary hide;
    pool.arena.execute([&loop, blocks] {
        // A full arena hands this to one of its own threads, which has not met the scope above.
        const happens_before::HideLibrary hide_here;
        tbb::parallel_for(Blocks(0, blocks),
                          [&loop](const Blocks& range) { run_forked(loop, range.begin(), range.end()); });
    });
}

// States the join even when the loop ends by an exception, whose text another thread wrote.
class JoinedOnExit {
public:
    explicit JoinedOnExit(Loop& loop) : loop_(loop) { happens_before::publish(&loop.fork); }
    JoinedOnExit(const JoinedOnExit&) = delete;
    JoinedOnExit& operator=(const JoinedOnExit&) = delete;
    ~JoinedOnExit() { happens_before::observe(&loop_.join); }

private:
    Loop& loop_;
};

} // namespace

StopLoops::StopLoops(const std::atomic<bool>* stop) : outer_(std::exchange(stop_of_thread, stop)) {}

StopLoops::~StopLoops() { stop_of_thread = outer_; }

void set_parallelism(unsigned threads) { scheduler().resize(std::max(1U, threads)); }

unsigned parallelism() { return scheduler().pool().threads; }

void parallel_for(std::uint64_t count, std::uint64_t grain,
                  const std::function<void(std::uint64_t, std::uint64_t)>& body) {
    if (count == 0) return;
    const std::uint64_t blocks = (count - 1) / grain + 1;
    Loop loop{body, count, grain};
    Pool& pool = scheduler().pool();
    if (blocks == 1 || pool.threads == 1) {
        loop.run(0, blocks);
        return;
    }
    const JoinedOnExit joined(loop);
    try {
        run_in_arena(pool, loop, blocks);
    } catch (...) {
        rethrow_named();
    }
}

} // namespace hogwild
