#include "engine/schemes/shared_model.h"

#include "engine/data/column_use.h"
#include "kernels/catalog.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/prefetch.h"
#include "kernels/spin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace hogwild {
namespace {

constexpr std::uint32_t kSegment = 8 * ReplicaExchange::kLine;

std::size_t lines_of(std::uint32_t coordinates) {
    return (coordinates + ReplicaExchange::kLine - 1) / ReplicaExchange::kLine;
}

/// The largest of each `width` neighbours.
std::vector<float> largest(const std::vector<float>& values, std::uint32_t width) {
    std::vector<float> most((values.size() + width - 1) / width);
    for (std::size_t j = 0; j < values.size(); ++j) most[j / width] = std::max(most[j / width], values[j]);
    return most;
}

bool try_lock(LockWord& lock) {
    return lock.load(std::memory_order_relaxed) == 0 && lock.exchange(1, std::memory_order_acquire) == 0;
}

void unlock(LockWord& lock) { lock.store(0, std::memory_order_release); }

} // namespace

SharedModel::SharedModel(Job& job, std::uint32_t coordinates)
    : job_(job), size_(coordinates), shares_(job.plan.threads) {
    const std::uint64_t period = exchange_period(job.plan, job.data.rows());
    for (std::uint32_t begin = 0; begin < size_; begin += kSegment)
        segments_.push_back({begin, std::min(begin + kSegment, size_), period});
    locks_ = std::vector<Lock>(segments_.size());
    const ColumnUse use = column_use(job.data.as<SparseView>());
    const std::vector<float> touched = largest(use.touched, kSegment);
    const float hottest = *std::ranges::max_element(touched);
    for (std::size_t s = 0; s < segments_.size(); ++s) {
        const double rarer = touched[s] > 0 ? std::log2(hottest / touched[s]) / 2 : job_.plan.exchange_doublings;
        segments_[s].period <<= std::min(static_cast<std::uint32_t>(rarer), job_.plan.exchange_doublings);
    }
    if (job_.plan.combine != "sequential") return;
    const double curvature = with_linear_problem(job.plan.problem, []<class Problem>(Problem) {
        constexpr double kHinge = 0.5; // none at its kink, but over a step's length it bends
        return Problem::curvature > 0 ? Problem::curvature : kHinge;
    });
    curvatures_ = largest(use.energy, ReplicaExchange::kLine);
    for (float& each : curvatures_) each *= static_cast<float>(curvature * job_.plan.coupling);
}

Replica::Replica(const SharedModel& model, unsigned worker) : Replica(model, worker, nullptr) {
    own_ = PageArray<float>(base_.size());
    lines_.own = own_.data();
}

Replica::Replica(const SharedModel& model, unsigned worker, float* weights)
    : model_(model),
      base_(lines_of(model.size_) * ReplicaExchange::kLine),
      lines_{model.job_.buffer.data(),
             weights,
             base_.data(),
             model.curvatures_.empty() ? nullptr : model.curvatures_.data(),
             &model.shares_,
             model.job_.plan.combine == "average" ? 1.0f / static_cast<float>(model.job_.plan.threads) : 1.0f,
             static_cast<float>(lazy_l2(model.job_.plan))},
      last_(model.segments_.size()),
      first_(model.segments_.size() * worker / model.job_.plan.threads) {
    // Workers begin at other moments of a period, so that their exchanges are spread over it.
    for (const SharedModel::Segment& segment : model.segments_)
        due_.push_back(segment.period * (worker + 1) / model.job_.plan.threads);
}

void Replica::begin() {
    for (std::size_t j = 0; j < model_.size_; ++j) lines_.own[j] = lines_.base[j] = lines_.shared[j];
}

void Replica::exchange(std::size_t s, double step) {
    const SharedModel::Segment& segment = model_.segments_[s];
    const auto stepped = static_cast<float>(step * static_cast<double>(samples_ - last_[s]));
    using On = OnLanes<ReplicaExchangeBody, const ReplicaExchange&, std::uint32_t, std::uint32_t, float>;
    static constexpr decltype(&On::scalar) kForms[] = {On::scalar, On::avx2, On::avx512};
    kForms[static_cast<std::size_t>(model_.job_.lanes)](lines_, segment.begin, segment.end, stepped);
    unlock(model_.locks_[s].word);
    last_[s] = samples_;
    due_[s] = samples_ + segment.period;
}

void Replica::stepped(std::uint32_t samples, double step) {
    samples_ += samples;
    if (samples_ < soonest_) return;
    soonest_ = ~std::uint64_t{0};
    constexpr std::size_t kAhead = 2, kNone = ~std::size_t{0};
    std::array<std::size_t, kAhead> coming; // whose lines are on their way while others are exchanged
    coming.fill(kNone);
    std::size_t next = 0;
    const auto take = [&](std::size_t s) {
        if (s != kNone && try_lock(model_.locks_[s].word)) exchange(s, step);
        if (s != kNone) soonest_ = std::min(soonest_, due_[s]);
    };
    for (std::size_t i = 0; i < due_.size(); ++i) {
        const std::size_t s = i + first_ < due_.size() ? i + first_ : i + first_ - due_.size();
        if (due_[s] > samples_) {
            soonest_ = std::min(soonest_, due_[s]);
            continue;
        }
        prefetch(s);
        take(std::exchange(coming[next++ % kAhead], s));
    }
    for (std::size_t i = 0; i < kAhead; ++i) take(coming[next++ % kAhead]);
}

void Replica::prefetch(std::size_t s) const {
    prefetch_to_write(&model_.locks_[s].word);
    const SharedModel::Segment& segment = model_.segments_[s];
    for (std::uint32_t j = segment.begin; j < segment.end; j += ReplicaExchange::kLine)
        prefetch_to_write(lines_.shared + j);
}

void Replica::give_all(double step) {
    for (std::size_t s = 0; s < due_.size(); ++s) {
        for (SpinWait wait(model_.job_.yields); !try_lock(model_.locks_[s].word);) wait.pause();
        exchange(s, step);
    }
}

} // namespace hogwild
