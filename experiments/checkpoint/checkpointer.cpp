#include "experiments/checkpoint/checkpointer.h"

#include "experiments/text/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <utility>

namespace hogwild {
namespace {

constexpr double kShortest = 1e-3, kLongest = 1e7; // seconds; four months is what every clock can count

} // namespace

Checkpointer::Checkpointer(std::unique_ptr<CheckpointFile> file, double every)
    : file_(std::move(file)), thread_([this, every] { write_now_and_then(std::clamp(every, kShortest, kLongest)); }) {}

Checkpointer::~Checkpointer() { ended(); }

void Checkpointer::taken(const Snapshot& snapshot, std::span<const double> losses) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({&snapshot, {losses.begin(), losses.end()}});
}

void Checkpointer::ended() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    stop_.notify_one();
    thread_.join();
    write();
}

void Checkpointer::write_now_and_then(double every) {
    std::unique_lock lock(mutex_);
    while (!stop_.wait_for(lock, std::chrono::duration<double>(every), [this] { return stopping_; })) {
        lock.unlock();
        write();
        lock.lock();
    }
}

/// By one thread at a time.
void Checkpointer::write() {
    std::vector<Taken> taken;
    {
        const std::lock_guard lock(mutex_);
        taken.swap(waiting_);
    }
    try {
        for (const Taken& each : taken) {
            if (!failed_) file_->append(*each.snapshot, each.losses);
        }
    } catch (const std::exception& error) {
        failed_ = true;
        tell("hogwild: no more checkpoints: {}\n", error.what());
    }
}

} // namespace hogwild
