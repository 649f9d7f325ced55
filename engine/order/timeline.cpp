#include "engine/order/timeline.h"

#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/shrinkage.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/hot_updates.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/numbers/power.h"
#include "kernels/patterns/low_precision_steps.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace hogwild {
namespace {

/// About forty chunks an epoch at least, so that workers share small data, and no more than a cell. Whoever has the
/// last chunk is waited for. Beside a GPU, for which a thread's cell is milliseconds, a chunk is an eighth of that.
/// Where a delay makes gradients expensive it is 10 us of delays, which is much beside a claim and little beside a run.
/// Steps that take batches take long. Their chunk is a batch, or as many as make up to sixteen samples, a power of two.
/// So batches that were doubled some times are whole chunks or parts of one.
std::uint32_t chunk_size(const Plan& plan, std::uint32_t rows) {
    constexpr double kMostDelay = 10e-6;
    constexpr std::uint32_t kFewest = 16;
    if (problem_traits(plan).takes_batches)
        return plan.batch.size * std::bit_floor(std::max(1u, kFewest / plan.batch.size));
    std::uint32_t most = on_both(plan) ? Timeline::kMostBesideGpu : Timeline::kCell;
    if (plan.delay * most > kMostDelay) most = static_cast<std::uint32_t>(std::max(1.0, kMostDelay / plan.delay));
    const SchemeTraits& scheme = scheme_traits(plan);
    const bool exchanges =
        scheme.exchanges() ? plan.threads > 1 : owns_hot(plan) || (scheme.has_clusters() && clusters(plan) > 1);
    if (exchanges && plan.exchange.period > 0) most = std::min(most, plan.exchange.period);
    return std::bit_floor(std::clamp(rows / 40, 1u, most));
}

/// As Timeline::eras_.
std::vector<std::uint64_t> eras(const Plan& plan, std::uint32_t rows, std::uint64_t cells) {
    const double most = bits_of_scale(storage_of(memory_kind(plan)));
    std::vector<std::uint64_t> begins{0};
    const std::uint64_t all = cells * plan.epochs;
    const double l2 = lazy_l2(plan);
    if (Timeline::bits(plan.step.size, l2) * static_cast<double>(all) > most) { // no step is larger
        const Schedule schedule(plan.step, plan.epochs);
        double sum = 0;
        for (std::uint64_t c = 0; c < all; ++c) {
            const double within = static_cast<double>(c % cells * Timeline::kCell) / rows;
            const double more = Timeline::bits(schedule.step(static_cast<std::uint32_t>(c / cells), within), l2);
            if (c > begins.back() && sum + more > most) {
                begins.push_back(c);
                sum = 0;
            }
            sum += more;
        }
    }
    begins.push_back(all);
    return begins;
}

} // namespace

std::uint64_t Timeline::bytes(const Plan& plan, std::uint64_t rows) {
    return ((rows + kCell - 1) / kCell * sizeof(Cell) + sizeof(double)) * plan.epochs;
}

double Timeline::bits(double step, double l2) { return shrinkage_bits(step, l2); }

Timeline::Timeline(const Plan& plan, std::uint32_t rows)
    : rows_(rows),
      epochs_(plan.epochs),
      observations_per_epoch_(plan.observations_per_epoch),
      l2_(lazy_l2(plan)),
      chunk_(chunk_size(plan, rows)),
      chunks_per_epoch_((std::uint64_t{rows} + chunk_ - 1) / chunk_),
      cells_per_epoch_((std::uint64_t{rows} + kCell - 1) / kCell),
      cells_(cells_per_epoch_ * epochs_),
      eras_(eras(plan, rows, cells_per_epoch_)),
      epoch_end_scale_(epochs_, 1.0) {}

void Timeline::prepare(std::uint32_t epoch, const Schedule& schedule) {
    double scale = scale_before(epoch);
    for (std::uint64_t c = 0; c < cells_per_epoch_; ++c) {
        Cell& cell = cells_[epoch * cells_per_epoch_ + c];
        cell.step = schedule.step(epoch, within(c * kCell));
        const double decay = 1.0 - cell.step * l2_;
        if (std::ranges::binary_search(eras_, epoch * cells_per_epoch_ + c)) scale = 1.0;
        cell.scale = scale;
        scale *= power(decay, std::min<std::uint64_t>(kCell, rows_ - c * kCell));
    }
    epoch_end_scale_[epoch] = scale;
}

Positions Timeline::positions(std::uint64_t g) const {
    const auto first = static_cast<std::uint32_t>(g % chunks_per_epoch_) * chunk_;
    return {static_cast<std::uint32_t>(g / chunks_per_epoch_), first, std::min(chunk_, rows_ - first)};
}

Positions Timeline::positions(std::uint64_t begin, std::uint64_t end) const {
    const Positions first = positions(begin), last = positions(end - 1);
    return {first.epoch, first.first, last.first + last.count - first.first};
}

std::uint64_t Timeline::stretch_end(std::uint64_t g) const {
    const std::uint64_t k = g % chunks_per_epoch_;
    const std::uint64_t observed = k * observations_per_epoch_ / chunks_per_epoch_;
    const std::uint64_t due =
        ((observed + 1) * chunks_per_epoch_ + observations_per_epoch_ - 1) / observations_per_epoch_;
    return std::min(epoch_start(g) + std::min(due, chunks_per_epoch_), era_end(g));
}

void Timeline::paces(std::uint32_t epoch, Pace* out) const {
    for (std::uint64_t c = 0; c < cells_per_epoch_; ++c) {
        const Cell& cell = cells_[epoch * cells_per_epoch_ + c];
        out[c] = {cell.step, 1.0 - cell.step * l2_, cell.scale};
    }
}

Pace Timeline::pace_after(std::uint64_t updates) const {
    const auto position = static_cast<std::uint32_t>(updates % rows_);
    const Cell& cell = cells_[updates / rows_ * cells_per_epoch_ + position / kCell];
    const double decay = 1.0 - cell.step * l2_;
    return {cell.step, decay, cell.scale * power(decay, position % kCell)};
}

Pace Timeline::pace(std::uint64_t g) const {
    const Positions at = positions(g);
    const Cell& cell = cells_[at.epoch * cells_per_epoch_ + at.first / kCell];
    const double decay = 1.0 - cell.step * l2_;
    return {cell.step, decay, cell.scale * power(decay, at.first % kCell)};
}

double Timeline::scale_before(std::uint32_t epoch) const {
    return std::ranges::binary_search(eras_, epoch * cells_per_epoch_) ? 1.0 : epoch_end_scale_[epoch - 1];
}

double Timeline::scale_after(std::uint64_t g) const {
    const Pace last = pace(g);
    return last.scale * power(last.decay, positions(g).count);
}

double Timeline::scale_at(std::uint64_t updates) const {
    if (updates == 0) return 1.0;
    const std::uint64_t last = updates - 1;
    const std::uint64_t g = chunk_of(last);
    const Pace chunk = pace(g);
    return chunk.scale * power(chunk.decay, static_cast<std::uint32_t>(last % rows_ - positions(g).first + 1));
}

std::uint64_t Timeline::cell(std::uint64_t g) const {
    return g / chunks_per_epoch_ * cells_per_epoch_ + g % chunks_per_epoch_ * chunk_ / kCell;
}

std::uint64_t Timeline::samples_begin(std::uint64_t g) const {
    const std::uint64_t first = *std::prev(next_era(cell(g)));
    return first / cells_per_epoch_ * rows_ + first % cells_per_epoch_ * kCell;
}

std::uint64_t Timeline::era_end(std::uint64_t g) const {
    const std::uint64_t next = *next_era(cell(g)), first = next % cells_per_epoch_ * kCell;
    return next / cells_per_epoch_ * chunks_per_epoch_ + (first + chunk_ - 1) / chunk_;
}

std::uint64_t Timeline::observation_after(std::uint64_t g) const {
    const std::uint64_t epoch = g / chunks_per_epoch_;
    const std::uint64_t k = g % chunks_per_epoch_;
    const std::uint64_t before = k * observations_per_epoch_ / chunks_per_epoch_;
    const std::uint64_t after = (k + 1) * observations_per_epoch_ / chunks_per_epoch_;
    return after == before ? 0 : epoch * observations_per_epoch_ + after;
}

std::uint64_t Timeline::updates_after(std::uint64_t g) const {
    const std::uint64_t epoch = g / chunks_per_epoch_;
    const std::uint64_t done = std::min<std::uint64_t>((g % chunks_per_epoch_ + 1) * chunk_, rows_);
    return epoch * rows_ + done;
}

} // namespace hogwild
