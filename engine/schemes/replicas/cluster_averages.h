// The models of clusters of workers, averaged time and again while everybody steps.
//
// Every worker averages a slice of the coordinates, of all models (kernels/exchange/model_average.h), whenever it has
// stepped through `exchange` samples. So slices are averaged by as many workers as there are. None waits for another,
// and no slice has two averagers. (The paper has a thread more that averages all of them as often as it can.)
//
// Thread-safety: `begin` and `rescale` while nobody steps, each worker with its own number; `stepped` at any time.
// Source: Zhang and Re, "DimmWitted: A Study of Main-Memory Statistical Analytics", VLDB 2014, section 3.
#pragma once

#include "engine/memory/pages.h"
#include "engine/plan/plan.h"
#include "engine/schemes/replicas/cluster_models.h"

#include <cstdint>
#include <vector>

namespace hogwild {

class ClusterAverages {
public:
    explicit ClusterAverages(Job& job);

    void begin(unsigned worker);
    float* weights(unsigned worker) { return models_[models_.of(worker)]; }
    void stepped(unsigned worker, std::uint32_t samples, double);
    void leave(unsigned, double) {}
    void rescale(unsigned worker, float factor);
    void enter(unsigned, double) {}

    /// Averages its slice.
    void gather(unsigned worker);

private:
    struct alignas(64) Place {
        std::uint64_t samples = 0; // since it averaged
        PageArray<float> read;
    };

    CoordinateRange slice_of(unsigned worker) const { return slice(models_.size(), worker, job_.plan.threads); }

    Job& job_;
    ClusterModels models_;
    std::vector<Place> places_;
    std::uint64_t period_;
};

} // namespace hogwild
