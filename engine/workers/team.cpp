#include "engine/workers/team.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/machine/hwloc_tree.h"
#include "engine/machine/limits/limits.h"
#include "kernels/spin_wait.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include <hwloc.h>

namespace hogwild {
namespace {

void bind_thread(std::thread& thread, const std::vector<unsigned>& processors) {
    if (processors.empty()) return;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    for (const unsigned processor : processors) hwloc_bitmap_set(set, processor);
    const int refused = hwloc_set_thread_cpubind(HwlocTree::of_this_machine().get(), thread.native_handle(), set, 0);
    const int reason = errno;
    hwloc_bitmap_free(set);
    if (refused != 0) {
        throw Error("cannot bind a worker to processor " + std::to_string(processors.front()), std::strerror(reason),
                    "run with --pin none");
    }
}

std::vector<std::vector<unsigned>> places_here(unsigned workers, Pin pin) {
    if (pin == Pin::kNone) return std::vector<std::vector<unsigned>>(workers); // hwloc need not even be loaded
    return place_workers(HwlocTree::of_this_machine(), affinity_processors(), workers, pin);
}

bool is_awake(const std::atomic<std::uint32_t>& generation) {
    return generation.load(std::memory_order_relaxed) % 2 == 1; // written by the caller alone
}

} // namespace

WorkerTeam::WorkerTeam(unsigned threads, Pin pin, unsigned drivers) {
    if (threads + drivers == 0) threads = 1;
    if (threads > 0) places_ = places_here(threads, pin);
    oversubscribed_ = threads > usable_cores() || (threads > 0 && threads + drivers > usable_cores());
    places_.resize(threads + drivers);
    threads_.reserve(places_.size());
    try {
        for (unsigned worker = 0; worker < places_.size(); ++worker) {
            threads_.emplace_back([this, worker] { work(worker); });
            bind_thread(threads_.back(), places_[worker]);
        }
    } catch (const std::system_error& error) {
        const std::string started = std::to_string(threads_.size());
        const int reason = error.code().value();
        stop();
        throw Error("cannot start " + std::to_string(threads) + " workers",
                    "the system stopped at " + started + ": " + reason_of_start(reason), remedy_of_start(reason));
    } catch (...) {
        stop();
        throw;
    }
}

WorkerTeam::~WorkerTeam() { stop(); }

void WorkerTeam::stop() {
    body_ = nullptr;
    release();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

void WorkerTeam::run(const std::function<void(unsigned)>& body) {
    body_ = &body;
    failed_.store(false, std::memory_order_relaxed);
    unfinished_.store(size(), std::memory_order_relaxed);
    release();
    // Acquire: takes over what the bodies did.
    for (std::uint32_t left; (left = unfinished_.load(std::memory_order_acquire)) != 0;) {
        unfinished_.wait(left, std::memory_order_relaxed);
    }
    if (first_exception_ != nullptr) std::rethrow_exception(std::exchange(first_exception_, nullptr));
}

void WorkerTeam::wake() {
    if (is_awake(generation_)) return;
    awake_.store(0, std::memory_order_relaxed); // published by the next line
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
    for (SpinWait wait(oversubscribed_); awake_.load(std::memory_order_relaxed) != size(); wait.pause()) {}
}

/// Hands what the caller did, and body_, to the workers.
void WorkerTeam::release() {
    const bool awake = is_awake(generation_);
    generation_.fetch_add(awake ? 1 : 2, std::memory_order_release);
    if (!awake) generation_.notify_all();
}

void WorkerTeam::work(unsigned worker) {
    for (std::uint32_t seen = 0;; seen += 2) {
        // Acquire, both: pairs with release().
        generation_.wait(seen, std::memory_order_acquire);
        if (generation_.load(std::memory_order_acquire) == seen + 1) {
            awake_.fetch_add(1, std::memory_order_relaxed);
            for (SpinWait wait(oversubscribed_); generation_.load(std::memory_order_acquire) == seen + 1;
                 wait.pause()) {}
        }
        if (body_ == nullptr) return;
        try {
            (*body_)(worker);
        } catch (...) {
            if (!failed_.exchange(true, std::memory_order_relaxed)) first_exception_ = std::current_exception();
        }
        // Release: hands the body's work to the caller, who acquires the last of these decrements and through it them
        // all.
        if (unfinished_.fetch_sub(1, std::memory_order_release) == 1) unfinished_.notify_one();
    }
}

} // namespace hogwild
