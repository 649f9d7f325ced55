// Writes a run's snapshots to its checkpoint file while it runs. Every so many seconds it writes those taken since the
// last time, and the rest when the run's clock has stopped.
//
// A thread of its own writes; workers only hand over where a snapshot lies. A disk that refuses is said once on standard error
// and ends the writing, not the run.
// Thread-safety: as SnapshotSink.
#pragma once

#include "experiments/checkpoint/checkpoint_file.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace hogwild {

class Checkpointer : public SnapshotSink {
public:
    /// `every`: seconds.
    Checkpointer(std::unique_ptr<CheckpointFile> file, double every);
    ~Checkpointer() override;

    void taken(const Snapshot& snapshot, std::span<const double> losses) override;
    void ended() override;

    /// Whether all that was taken is in the file, once the run has ended.
    bool has_written_all() const { return !failed_; }

private:
    struct Taken {
        const Snapshot* snapshot;
        std::vector<double> losses;
    };

    void write_now_and_then(double every);
    void write();

    std::unique_ptr<CheckpointFile> file_;
    std::mutex mutex_;
    std::condition_variable stop_;
    std::vector<Taken> waiting_; // under mutex_
    bool stopping_ = false;      // under mutex_
    bool failed_ = false;        // of the thread, until it has ended
    std::thread thread_;
};

} // namespace hogwild
