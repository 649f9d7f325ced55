#include "engine/schemes/shared_model.h"

#include "engine/data/column_use.h"
#include "kernels/catalog.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/prefetch.h"
#include "kernels/spin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
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

/// How steep the losses of sparse rows are along each column.
std::vector<float> steepness(const Plan& plan, std::vector<float> energy) {
    const double curvature = with_linear_problem(plan.problem, []<class Problem>(Problem) {
        constexpr double kHinge = 0.5; // none at its kink, but over a step's length it bends
        return Problem::curvature > 0 ? Problem::curvature : kHinge;
    });
    for (float& each : energy) each *= static_cast<float>(curvature);
    return energy;
}

} // namespace

SharedModel::SharedModel(Job& job, std::uint32_t coordinates)
    : job_(job),
      size_(coordinates),
      shares_(job.plan.threads),
      steps_(takes_batches(job.plan.problem) ? 1.0 / job.plan.batch : 1.0) {
    const std::uint64_t period = exchange_period(job.plan, job.data.rows());
    for (std::uint32_t begin = 0; begin < size_; begin += kSegment)
        segments_.push_back({begin, std::min(begin + kSegment, size_), period});
    locks_ = std::vector<Lock>(segments_.size());
    if (is_linear(job.plan.problem)) {
        const ColumnUse use = column_use(job.data.as<SparseView>());
        rarer(largest(use.touched, kSegment));
        curvatures_ = largest(steepness(job.plan, use.energy), ReplicaExchange::kLine);
    } else {
        curvatures_.assign(lines_of(size_), kNetworkCurvature);
    }
    bands_ = bands();
    if (job_.plan.combine != "sequential") curvatures_.clear();
    for (float& each : curvatures_) each *= static_cast<float>(job_.plan.coupling);
}

/// Longer periods where samples touch a segment more seldom.
void SharedModel::rarer(const std::vector<float>& touched) {
    const float hottest = *std::ranges::max_element(touched);
    for (std::size_t s = 0; s < segments_.size(); ++s) {
        const double doublings = touched[s] > 0 ? std::log2(hottest / touched[s]) / 2 : job_.plan.exchange_doublings;
        segments_[s].period <<= std::min(static_cast<std::uint32_t>(doublings), job_.plan.exchange_doublings);
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
    own_ = PageArray<float>(base_.size());
    lines_.own = own_.data();
}

Replica::Replica(const SharedModel& model, unsigned worker, float* weights)
    : model_(model),
      worker_(worker),
      base_(lines_of(model.size_) * ReplicaExchange::kLine),
      lines_{model.job_.buffer.data(),
             weights,
             base_.data(),
             model.curvatures_.empty() ? nullptr : model.curvatures_.data(),
             &model.shares_,
             model.job_.plan.combine == "average" ? 1.0f / static_cast<float>(model.job_.plan.threads) : 1.0f,
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
    for (std::size_t j = 0; j < model_.size_; ++j) lines_.own[j] = lines_.base[j] = lines_.shared[j];
}

void Replica::exchange(std::uint32_t s, double step) {
    const SharedModel::Segment& segment = model_.segments_[s];
    const auto stepped = static_cast<float>(step * model_.steps_ * static_cast<double>(samples_ - last_[s]));
    using On = OnLanes<ReplicaExchangeBody, const ReplicaExchange&, std::uint32_t, std::uint32_t, float>;
    static constexpr decltype(&On::scalar) kForms[] = {On::scalar, On::avx2, On::avx512};
    kForms[static_cast<std::size_t>(model_.job_.lanes)](lines_, segment.begin, segment.end, stepped);
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
        if (replica_.model_.try_hold(s))
            replica_.exchange(s, step_);
        else if (std::ranges::find(late, s) == late.end())
            late.push_back(s);
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
        for (const std::uint32_t s : again_) coming.add(s);
        again_.clear();
        for (std::size_t b = 0; b < due_.size(); ++b) {
            if (due_[b] > samples_) continue;
            const auto& [period, segments] = model_.bands_[b];
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
