#include "engine/record/recorder.h"

#include "kernels/lanes/copy.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hogwild {
namespace {

/// Distance between snapshots in memory: whole cache lines.
std::size_t row_floats(std::uint32_t columns) { return (std::size_t{columns} + 15) / 16 * 16; }

constexpr int kMostCopies = 8;
constexpr double kSlow = 4;     // times the fastest copy: caches explain that much
constexpr double kPause = 1e-4; // seconds: less than a core is taken away for

} // namespace

Recorder::Recorder(std::uint32_t columns, std::uint64_t observations, std::uint64_t budget_bytes, Epoch epoch)
    : columns_(columns), observations_(observations), epoch_(epoch) {
    const std::size_t bytes = std::max<std::size_t>(row_floats(columns) * sizeof(float), 1);
    const std::uint64_t affordable = std::max<std::uint64_t>(budget_bytes / bytes, kFewest - 2);
    const std::uint64_t last = place(observations);
    keep_every_ = std::max<std::uint64_t>((last + affordable - 1) / affordable, 1);
    const std::uint64_t kept = (last + keep_every_ - 1) / keep_every_ + 1; // those before the last, and the last
    memory_ = PageArray<float>(kept * row_floats(columns));
    snapshots_.resize(kept);
    for (std::uint64_t i = 0; i < kept; ++i) snapshots_[i].values = memory_.data() + i * row_floats(columns);
    std::memset(memory_.data(), 0, memory_.pages().bytes()); // no page fault on the clock
}

void Recorder::go_on_from(std::span<const Snapshot> snapshots) {
    for (const Snapshot& earlier : snapshots) {
        had_ = std::max(had_, earlier.number);
        before_ = std::max(before_, earlier.ended);
        Snapshot* const kept = slot(earlier.number); // another machine's budget may have no place for it
        if (kept == nullptr) continue;
        std::memcpy(kept->values, earlier.values, columns_ * sizeof(float));
        float* const values = kept->values;
        *kept = earlier;
        kept->values = values;
        kept->taken = true;
    }
}

void Recorder::start(const ParameterBuffer& buffer, const std::function<void()>& ready) {
    start_ = Clock::now();
    if (Snapshot& first = *slot(0); !first.taken) {
        take(
            first, [] { return Moment{}; }, [&](float* out) { copy_shared(out, buffer.data(), columns_); });
        first.seconds = first.ended = first.copy_seconds = 0;
        if (sink_ != nullptr) sink_->taken(first, {});
    }
    ready();
    start_ = Clock::now() - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(before_));
}

std::uint64_t Recorder::place(std::uint64_t number) const {
    if (epoch_.moments >= epoch_.asked) return number;
    const std::uint64_t epoch = number / epoch_.asked, of_epoch = number % epoch_.asked;
    return epoch * epoch_.moments + (of_epoch * epoch_.moments + epoch_.asked - 1) / epoch_.asked;
}

Snapshot* Recorder::slot(std::uint64_t number) {
    if (number == observations_) return &snapshots_.back();
    const std::uint64_t at = place(number);
    return at % keep_every_ == 0 ? &snapshots_[at / keep_every_] : nullptr;
}

void Recorder::show(SnapshotSink* sink, const Schedule& schedule) {
    sink_ = sink;
    schedule_ = &schedule;
}

void Recorder::observe(std::uint64_t number, const std::function<Moment()>& now, const float* values) {
    observe_by(number, now, [&](float* out) { copy_shared(out, values, columns_); });
}

void Recorder::observe(std::uint64_t number, const std::function<Moment()>& now, const ParameterBuffer& buffer) {
    observe_by(number, now, [&](float* out) { buffer.snapshot(out); });
}

void Recorder::observe_by(std::uint64_t number, const std::function<Moment()>& now, const Copy& copy) {
    Snapshot* const kept = number > had_ ? slot(number) : nullptr;
    if (kept == nullptr) return;
    kept->number = number;
    take(*kept, now, copy);
    if (sink_ != nullptr && number != observations_) sink_->taken(*kept, schedule_->losses());
}

void Recorder::take(Snapshot& snapshot, const std::function<Moment()>& now, const Copy& copy) {
    const double begin = seconds();
    for (snapshot.tries = 1;; ++snapshot.tries) {
        snapshot.seconds = snapshot.tries == 1 ? begin : seconds();
        const Moment before = now();
        copy(snapshot.values);
        const Moment after = now();
        snapshot.consumed = after.updates - before.updates;
        snapshot.updates = before.updates + snapshot.consumed / 2;
        snapshot.scale = std::sqrt(before.scale * after.scale); // it falls by a factor per sample
        const double taken = seconds() - snapshot.seconds;
        const double fastest = std::min(taken, fastest_copy_.load(std::memory_order_relaxed));
        fastest_copy_.store(fastest, std::memory_order_relaxed); // of copies side by side either may stay: a hint
        if (taken < kSlow * fastest + kPause || snapshot.tries == kMostCopies) break;
    }
    snapshot.ended = seconds();
    snapshot.copy_seconds = snapshot.ended - begin;
    snapshot.taken = true;
}

std::vector<Snapshot> Recorder::taken() const {
    std::vector<Snapshot> result;
    std::copy_if(snapshots_.begin(), snapshots_.end(), std::back_inserter(result),
                 [](const Snapshot& s) { return s.taken; });
    // Workers that were due close together may have copied in the other order.
    std::ranges::stable_sort(result, {}, &Snapshot::seconds);
    for (std::size_t i = 1; i < result.size(); ++i) {
        result[i].updates = std::max(result[i].updates, result[i - 1].updates);
    }
    return result;
}

} // namespace hogwild
