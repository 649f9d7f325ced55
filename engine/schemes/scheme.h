// A scheme: who works when. Its virtual function is called once per run, never per sample.
//
// Which schemes there are: engine/schemes/scheme_list.cpp. What each is and takes: engine/plan/scheme_traits.h.
// An asynchronous scheme launches its workers once for all epochs; nothing joins them to look.
#pragma once

#include "engine/data/dataset.h"
#include "engine/machine/disturbance.h"
#include "engine/memory/parameter_buffer.h"
#include "engine/order/order.h"
#include "engine/order/schedule.h"
#include "engine/order/timeline.h"
#include "engine/record/recorder.h"
#include "engine/schemes/two_devices/gpu_side.h"
#include "engine/workers/contexts.h"
#include "engine/workers/team.h"
#include "kernels/kernels.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// Where a run begins; the buffer holds the values.
struct Start {
    std::uint64_t updates = 0;        // samples stepped through before
    double scale = 1;                 // of lazy L2: the weights are scale x buffer
    std::span<const double> losses{}; // that step sizes were decided on before
};

/// One run's parts, borrowed: what a scheme works with.
struct Job {
    const Plan& plan;
    const AnyView data;
    const Kernels& kernels;
    const InstructionSet lanes;
    Schedule& schedule;
    Timeline& timeline;
    ParameterBuffer& buffer;
    Recorder& recorder;
    WorkerTeam& team;
    WorkerContexts& contexts;
    const bool yields; // workers exceed cores
    const std::atomic<bool>* interrupt;
    std::atomic<std::uint64_t>* progress;
    GpuWorkers* gpu = nullptr;     // null: no stream steps on its own
    GpuBatches* batches = nullptr; // null: no GPU takes batches
    Start start_at{};
    DisturbanceMeter disturbance{};
    std::atomic<bool> failed{false};    // a worker ended by an exception: the others stop as after an interrupt
    std::atomic<bool> left_work{false}; // because of an interrupt; one that comes when all is done changes nothing

    /// Once all is prepared: wakes the workers, and starts the clock.
    void start();

    /// Calls look(values) with the weights while workers step: the buffer, of guard publish the newest vector, whole.
    template <class Look>
    void with_weights(const Look& look) const {
        const Publication* const vectors = contexts.publication();
        if (vectors == nullptr) return look(buffer.data());
        const HeldVector newest = vectors->take();
        look(newest.values);
        vectors->release(newest);
    }

    /// For a worker that has work left: whether to leave it undone.
    bool interrupted() {
        const bool stop = failed.load(std::memory_order_relaxed) || team.failed().load(std::memory_order_relaxed) ||
                          (interrupt != nullptr && interrupt->load(std::memory_order_relaxed));
        if (stop) left_work.store(true, std::memory_order_relaxed);
        return stop;
    }
    void report(std::uint64_t updates) const {
        if (progress != nullptr) progress->store(updates, std::memory_order_relaxed);
    }
};

/// What a scheme leaves besides the buffer.
struct SchemeTotals {
    double final_scale = 1;      // the weights are final_scale x buffer
    double wait_seconds = kNone; // in barriers, mean over workers; kNone where there are none
    double least_share = kNone;  // of CPU threads that claim what they step through (engine/schemes/walk/consumed.h)
    std::vector<std::uint64_t> by_worker{};  // where CPU threads claim what they step through: samples of each thread,
                                             // then of each GPU stream
    std::vector<ExchangeCounts> exchanges{}; // of each thread that may have a replica
    std::uint64_t rebases = 0;
    std::uint64_t gradients_dropped = 0; // of backup-workers: samples' gradients that came too late
    std::uint64_t by_threads = 0;        // samples that CPU threads consumed beside a GPU
    BatchTotals batches{};               // of CPU threads and a GPU
    std::function<double(std::uint64_t)>
        scale_at{}; // of lazy L2 after so many samples, for snapshots that a GPU copied
};

class Scheme {
public:
    virtual ~Scheme() = default;

    /// Runs all epochs, or to the interrupt. All observations but the last are taken; the buffer holds the result.
    virtual SchemeTotals run(Job& job) = 0;
};

/// Precondition: `name` is one of scheme_names().
std::unique_ptr<Scheme> make_scheme(std::string_view name);

} // namespace hogwild
