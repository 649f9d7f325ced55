#include "engine/schemes/replicas/token_ring.h"

#include "engine/plan/plan.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/numbers/power.h"

#include <algorithm>

namespace hogwild {
namespace {

/// Samples of one worker between two passes. 0 asks for a round an epoch.
std::uint64_t period(const Job& job, unsigned clusters) {
    if (job.plan.exchange.period > 0) return job.plan.exchange.period;
    return std::max<std::uint64_t>(1, job.data.rows() / (std::uint64_t{job.plan.threads} * clusters));
}

std::size_t whole_lines(std::uint32_t coordinates) {
    return (std::size_t{coordinates} + RingExchange::kLine - 1) / RingExchange::kLine * RingExchange::kLine;
}

} // namespace

RingWeights ring_weights(unsigned clusters) {
    const auto lambda = [&](double beta) { return 1 - power(beta, clusters - 1); };
    double low = 0, high = 1; // (M - lambda)(1 - beta) falls, and beta rises, as beta does
    for (int halvings = 0; halvings < 60; ++halvings) {
        const double beta = (low + high) / 2;
        ((clusters - lambda(beta)) * (1 - beta) > beta ? low : high) = beta;
    }
    return {static_cast<float>(low), static_cast<float>(lambda(low))};
}

TokenRing::TokenRing(Job& job, unsigned clusters)
    : job_(job),
      models_(job),
      weights_(clusters > 1 ? ring_weights(clusters) : RingWeights{1, 0}),
      period_(period(job, clusters)),
      places_(job.plan.threads) {
    if (clusters < 2) return;
    for (unsigned c = 0; c < clusters; ++c) bases_.emplace_back(whole_lines(models_.size()));
}

void TokenRing::begin(unsigned worker) {
    if (models_.count() < 2 || !models_.leads(worker)) return;
    const unsigned cluster = models_.of(worker);
    const float* shared = job_.buffer.data();
    if (cluster > 0) std::copy_n(shared, models_.size(), models_[cluster]);
    std::copy_n(shared, models_.size(), bases_[cluster].data());
}

void TokenRing::stepped(unsigned worker, std::uint32_t samples, double) {
    if (models_.count() < 2) return;
    Place& place = places_[worker];
    if (place.holds) {
        place.samples += samples;
        if (place.samples < period_) return;
        place.holds = false;
        // Release: hands this exchange, and those before it, to the next one.
        token_.store(token_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
        return;
    }
    std::uint64_t token = token_.load(std::memory_order_relaxed);
    const unsigned cluster = models_.of(worker);
    if (token % 2 == 1 || token / 2 % models_.count() != cluster) return;
    // Acquire: takes over what exchanges before wrote. Another worker of the cluster may be faster.
    if (!token_.compare_exchange_strong(token, token + 1, std::memory_order_acquire, std::memory_order_relaxed)) return;
    exchange(cluster);
    place.holds = true;
    place.samples = 0;
}

void TokenRing::exchange(unsigned cluster) {
    const unsigned next = (cluster + 1) % models_.count();
    const RingExchange between{models_[cluster], bases_[cluster].data(), models_[next], bases_[next].data(), weights_};
    using On = OnLanes<RingExchangeBody, const RingExchange&, std::uint32_t, std::uint32_t>;
    static constexpr decltype(&On::scalar) kForms[] = {On::scalar, On::avx2, On::avx512};
    kForms[static_cast<std::size_t>(job_.lanes)](between, 0, models_.size());
}

float TokenRing::total(std::uint32_t j) const {
    const std::uint64_t token = token_.load(std::memory_order_relaxed); // of before the workers were waited for
    const auto turn = static_cast<unsigned>((token + 1) / 2 % models_.count());
    const float rho = (1 - weights_.beta) / weights_.beta, base = bases_[turn].data()[j];
    float sum = base;
    for (unsigned c = 0; c < models_.count(); ++c) {
        const float other = bases_[c].data()[j];
        sum += (models_[c][j] - other) + rho * (other - base);
    }
    return sum;
}

void TokenRing::rescale(unsigned worker, float factor) {
    const CoordinateRange range = slice(models_.size(), worker, job_.plan.threads);
    if (models_.count() < 2) return job_.buffer.rescale(range.begin, range.end, factor);
    for (std::uint32_t j = range.begin; j < range.end; ++j) {
        const float agreed = total(j) * factor;
        for (unsigned c = 0; c < models_.count(); ++c) models_[c][j] = bases_[c].data()[j] = agreed;
    }
}

} // namespace hogwild
