#include "engine/schemes/replicas/own_hot.h"

#include "engine/order/hot_ranges.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "kernels/exchange/collected.h"

namespace hogwild {

namespace {

std::uint32_t size_of(const std::vector<CoordinateRange>& ranges) {
    std::uint32_t size = 0;
    for (const auto& [begin, end] : ranges) size += end - begin;
    return size;
}

} // namespace

Collected::Collected(float* shared, float* own, const std::vector<CoordinateRange>& ranges, std::uint64_t period)
    : shared_(shared), own_(own), ranges_(ranges), base_(size_of(ranges)), period_(period) {
    give_all(); // of nothing: reads the shared coordinates
}

void Collected::stepped(std::uint32_t samples) {
    since_ += samples;
    if (since_ < period_) return;
    since_ = 0;
    give_all();
}

void Collected::give_all() {
    float* base = base_.data();
    for (const auto& [begin, end] : ranges_) {
        hand_over(shared_ + begin, own_ + begin, base, end - begin);
        base += end - begin;
    }
}

OwnHot::OwnHot(Job& job) : job_(job), hot_(hot_ranges(job.plan, job.data)) {
    if (hot_.empty()) return;
    workers_ = std::vector<Worker>(job.plan.threads);
    if (hot_traits(job.plan).replicates) model_.emplace(job, hot_);
}

void OwnHot::begin(unsigned worker) {
    if (model_ && workers_.size() == 1) return;
    Worker& own = workers_[worker];
    own.view = job_.buffer.view();
    if (model_) return own.replica.emplace(*model_, worker, weights(worker)).begin();
    const std::uint64_t period = exchange_period(job_.plan, job_.data.rows());
    own.collected.emplace(job_.buffer.data(), weights(worker), hot_, period);
}

float* OwnHot::weights(unsigned worker) {
    return model_ && workers_.size() == 1 ? job_.buffer.data() : static_cast<float*>(workers_[worker].view.data());
}

void OwnHot::stepped(unsigned worker, std::uint32_t samples, double step) {
    Worker& own = workers_[worker];
    if (own.replica) own.replica->stepped(samples, step);
    if (own.collected) own.collected->stepped(samples);
}

void OwnHot::give_all(unsigned worker, double step) {
    Worker& own = workers_[worker];
    if (own.replica) own.replica->give_all(step);
    if (own.collected) own.collected->give_all();
}

std::vector<ExchangeCounts> OwnHot::exchanges() const {
    std::vector<ExchangeCounts> counts;
    for (const Worker& worker : workers_)
        if (worker.replica) counts.push_back(worker.replica->counts());
    return counts;
}

} // namespace hogwild
