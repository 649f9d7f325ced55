// A ring of clusters of workers, round which a token goes. The cluster that it comes to exchanges with the next one
// (kernels/exchange/ring_exchange.h). It keeps the token for `exchange` samples of the worker that made the exchange,
// and passes it on.
//
// With M clusters, rho = (1 - beta) / beta, and h the cluster that exchanges next, the ring's total
//
//   total = sum over c of (own_c - base_c) + rho x sum over c != h of base_c + rho (1 - lambda) base_h
//
// is not changed by an exchange. Where rho (M - lambda) = 1 it counts every increment once, and all models tend to it
// as the token goes round. So nothing is lost and nothing counts twice, but where a worker steps on a coordinate at the
// moment that it is exchanged. (kernels/exchange/ring_exchange.h says what that may cost.) `ring_weights` are such, and
// lambda = 1 - beta^(M - 1), as published. Where the clusters must agree, at an era's end and at the run's, their
// models become the total.
//
// How this differs from the authors' program (github.com/huanzhang12/hogwildpp, src/numasvm), which has
//
//   delta = step (own - base);   next += beta x delta;   own = base = lambda next + (1 - lambda) own + (beta + lambda - 1) delta
//
// with next as it was before, and beta + beta^M = 1:
//   - It mixes what the next model is, with increments that its cluster will hand on itself, so those come to count
//     more, by lambda rho. From three clusters on, increments count less than once. With two clusters they count 1 or
//     1.24 times, with four 0.78 or 0.96, with eight 0.60 or 0.70 (without the factor `step`). Here next_base is mixed,
//     and beta solves the equation above; for two clusters beta and lambda are the published ones.
//   - The factor `step` would have what an increment comes to depend on the step size twice.
//   - Differences below a tolerance are kept back there; here all are handed on, and lines without one are not written.
//
// Thread-safety: `stepped` by any worker at any time, the others while nobody steps. Who takes the token sees what exchanges before wrote.
// Source: Zhang, Hsieh, Akella, "HogWild++: A New Mechanism for Decentralized Asynchronous Stochastic Gradient Descent", ICDM 2016.
#pragma once

#include "engine/plan/derived/workers.h"
#include "engine/schemes/replicas/cluster_models.h"
#include "kernels/exchange/ring_exchange.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace hogwild {

/// For so many clusters, two or more.
RingWeights ring_weights(unsigned clusters);

class TokenRing {
public:
    explicit TokenRing(Job& job) : TokenRing(job, clusters(job.plan)) {}

    void begin(unsigned worker);
    float* weights(unsigned worker) { return models_[models_.of(worker)]; }
    void stepped(unsigned worker, std::uint32_t samples, double step);
    void leave(unsigned, double) {}
    void rescale(unsigned worker, float factor);
    void enter(unsigned, double) {}
    void gather(unsigned worker) { rescale(worker, 1.0f); }

    /// The total of coordinate j, while nobody steps.
    float total(std::uint32_t j) const;

private:
    struct alignas(64) Place {
        bool holds = false; // the token
        std::uint64_t samples = 0;
    };

    TokenRing(Job& job, unsigned clusters);
    void exchange(unsigned cluster);

    Job& job_;
    ClusterModels models_;
    RingWeights weights_;
    std::uint64_t period_; // samples that the token is kept for
    std::vector<PageArray<float>> bases_;
    std::vector<Place> places_;
    // Twice the number of times that it was passed on, and one more once the cluster that it is at has begun to exchange.
    alignas(64) std::atomic<std::uint64_t> token_{0};
};

} // namespace hogwild
