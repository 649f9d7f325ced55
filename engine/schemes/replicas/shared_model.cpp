#include "engine/schemes/replicas/shared_model.h"

#include "engine/plan/choices.h"
#include "engine/plan/derived/shrinkage.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/schemes/replicas/coordinate_use.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/spin_wait.h"
#include "kernels/views/prefetch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace hogwild {
namespace {

constexpr std::uint32_t kSegment = 8 * ReplicaExchange::kLine;

std::uint32_t lines_of(std::uint32_t coordinates) {
    return (coordinates + ReplicaExchange::kLine - 1) / ReplicaExchange::kLine;
}

float largest(const std::vector<float>& values, std::uint32_t begin, std::uint32_t end) {
    return *std::max_element(values.begin() + begin, values.begin() + end);
}

} // namespace

SharedModel::SharedModel(Job& job, const std::vector<CoordinateRange>& ranges)
    : job_(job),
      shares_(job.plan.threads),
      steps_(problem_traits(job.plan).takes_batches ? 1.0 / job.plan.batch.size : 1.0) {
    const std::uint64_t period = exchange_period(job.plan, job.data.rows());
    for (const auto& [first, last] : ranges) {
        for (std::uint32_t begin = first; begin < last; begin += kSegment) {
            const std::uint32_t end = std::min(begin + kSegment, last);
            segments_.push_back({begin, end, lines_, period});
            lines_ += lines_of(end - begin);
        }
    }
    locks_ = std::vector<Lock>(segments_.size());
    const CoordinateUse use = coordinate_use(job.plan, job.data);
    over_step_ = use.over_step;
    rarer(use.touched);
    bands_ = bands();
    if (!combine_traits(job_.plan).measures) return;
    for (const auto& [begin, end, at, each] : segments_) {
        for (std::uint32_t j = begin; j < end; j += ReplicaExchange::kLine) {
            curvatures_.push_back(largest(use.steepness, j, std::min(j + ReplicaExchange::kLine, end)) *
                                  static_cast<float>(job_.plan.exchange.coupling));
        }
    }
}

/// Longer periods where samples touch a segment more seldom.
void SharedModel::rarer(const std::vector<float>& touched) {
    std::vector<float> most;
    for (const Segment& segment : segments_) most.push_back(largest(touched, segment.begin, segment.end));
    const float hottest = *std::ranges::max_element(most);
    for (std::size_t s = 0; s < segments_.size(); ++s) {
        const double doublings = most[s] > 0 ? std::log2(hottest / most[s]) / 2 : job_.plan.exchange.doublings;
        segments_[s].period <<= std::min(static_cast<std::uint32_t>(doublings), job_.plan.exchange.doublings);
    }
}

std::vector<SharedModel::Band> SharedModel::bands() const {
    std::map<std::uint64_t, std::vector<std::uint32_t>> by_period;
    for (std::uint32_t s = 0; s < segments_.size(); ++s) by_period[segments_[s].period].push_back(s);
    std::vector<Band> bands;
    for (auto& [period, segments] : by_period) bands.push_back({period, std::move(segments)});
    return bands;
}

bool SharedModel::try_hold(std::size_t segment) const {
    LockWord& lock = locks_[segment].word;
    return lock.load(std::memory_order_relaxed) == 0 && lock.exchange(1, std::memory_order_acquire) == 0;
}

void SharedModel::release(std::size_t segment) const { locks_[segment].word.store(0, std::memory_order_release); }

Replica::Replica(const SharedModel& model, unsigned worker) : Replica(model, worker, nullptr) {
    own_ = PageArray<float>(std::size_t{lines_of(model.segments_.back().end)} * ReplicaExchange::kLine);
    lines_.own = own_.data();
}

Replica::Replica(const SharedModel& model, unsigned worker, float* weights)
    : model_(model),
      worker_(worker),
      base_(std::size_t{model.lines_} * ReplicaExchange::kLine),
      lines_{model.job_.buffer.data(),
             weights,
             base_.data(),
             model.curvatures_.empty() ? nullptr : model.curvatures_.data(),
             &model.shares_,
             combine_traits(model.job_.plan).averages ? 1.0f / static_cast<float>(model.job_.plan.threads) : 1.0f,
             static_cast<float>(lazy_l2(model.job_.plan))},
      last_(model.segments_.size()),
      due_(model.bands_.size()) {
    schedule();
}

/// Workers begin at other moments of a period, so that their exchanges are spread over it.
void Replica::schedule() {
    for (std::size_t b = 0; b < due_.size(); ++b)
        due_[b] = samples_ + model_.bands_[b].period * (worker_ + 1) / model_.job_.plan.threads;
    soonest_ = samples_;
}

void Replica::begin() {
    for (const auto& [begin, end, at, period] : model_.segments_) {
        float* const base = lines_.base + std::size_t{at} * ReplicaExchange::kLine;
        for (std::uint32_t j = begin; j < end; ++j) lines_.own[j] = base[j - begin] = lines_.shared[j];
    }
}

void Replica::exchange(std::uint32_t s, double step) {
    const SharedModel::Segment& segment = model_.segments_[s];
    const double size = model_.over_step_ ? 1 : step;
    const auto stepped = static_cast<float>(size * model_.steps_ * static_cast<double>(samples_ - last_[s]));
    using On = OnLanes<ReplicaExchangeBody, const ReplicaExchange&, std::uint32_t, std::uint32_t, float>;
    static constexpr decltype(&On::scalar) kForms[] = {On::scalar, On::avx2, On::avx512};
    ReplicaExchange lines = lines_;
    lines.shared += segment.begin;
    lines.own += segment.begin;
    lines.base += std::size_t{segment.at} * ReplicaExchange::kLine;
    if (lines.curvatures != nullptr) lines.curvatures += segment.at;
    kForms[static_cast<std::size_t>(model_.job_.lanes)](lines, 0, segment.end - segment.begin, stepped);
    model_.release(s);
    last_[s] = samples_;
}

/// Segments to exchange, whose lines are on their way while those before are exchanged. What others hold is late.
class Replica::Coming {
public:
    Coming(Replica& replica, double step) : replica_(replica), step_(step) { asked_.fill(kNone); }

    ~Coming() {
        for (std::size_t i = 0; i < kAhead; ++i) take(asked_[next_++ % kAhead]);
    }

    void add(std::uint32_t s) {
        replica_.prefetch(s);
        take(std::exchange(asked_[next_++ % kAhead], s));
    }

private:
    static constexpr std::size_t kAhead = 2;
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    void take(std::uint32_t s) {
        if (s == kNone) return;
        std::vector<std::uint32_t>& late = replica_.late_;
        if (replica_.model_.try_hold(s)) {
            replica_.exchange(s, step_);
            return;
        }
        ++replica_.counts_.put_off;
        if (std::ranges::find(late, s) == late.end()) late.push_back(s);
    }

    Replica& replica_;
    double step_;
    std::array<std::uint32_t, kAhead> asked_;
    std::size_t next_ = 0;
};

void Replica::stepped(std::uint32_t samples, double step) {
    samples_ += samples;
    if (samples_ < soonest_) return;
    {
        again_.swap(late_);
        Coming coming(*this, step);
        counts_.due += again_.size();
        for (const std::uint32_t s : again_) coming.add(s);
        again_.clear();
        for (std::size_t b = 0; b < due_.size(); ++b) {
            if (due_[b] > samples_) continue;
            const auto& [period, segments] = model_.bands_[b];
            counts_.due += segments.size();
            const std::size_t first = segments.size() * worker_ / model_.job_.plan.threads;
            for (std::size_t i = first; i < segments.size(); ++i) coming.add(segments[i]);
            for (std::size_t i = 0; i < first; ++i) coming.add(segments[i]);
            due_[b] = samples_ + period;
        }
    }
    soonest_ = late_.empty() ? *std::ranges::min_element(due_) : samples_;
}

void Replica::passed(double step) {
    std::ranges::fill(due_, samples_);
    soonest_ = samples_;
    stepped(0, step);
    schedule();
}

void Replica::prefetch(std::uint32_t s) const {
    prefetch_to_write(&model_.locks_[s].word);
    const SharedModel::Segment& segment = model_.segments_[s];
    for (std::uint32_t j = segment.begin; j < segment.end; j += ReplicaExchange::kLine)
        prefetch_to_write(lines_.shared + j);
}

void Replica::give_all(double step) {
    for (std::uint32_t s = 0; s < last_.size(); ++s) {
        for (SpinWait wait(model_.job_.yields); !model_.try_hold(s);) wait.pause();
        exchange(s, step);
    }
    late_.clear();
    for (std::size_t b = 0; b < due_.size(); ++b) due_[b] = samples_ + model_.bands_[b].period;
}

} // namespace hogwild
