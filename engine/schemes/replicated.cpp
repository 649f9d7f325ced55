// DimmWitted's replication of the model: clusters of workers, each racing on a model of its own, all of which are averaged time and again
// while everybody steps.
//
// A model for each core, each node or the whole machine is `cluster` 1, a node's cores, or all threads: engine/schemes/cluster_models.h.
// The whole machine's is Hogwild, one worker serial. Every worker is the one that averages a slice of the coordinates, of all models
// (kernels/model_average.h), whenever it has stepped through `exchange` samples: so slices are averaged by as many workers as there are, none
// waits for another, and no slice has two averagers. (The paper has a thread more that averages all of them as often as it can.)
// The first cluster's model is observed; the run ends with the average. Of M models each takes a step at one sample of M, so their scale of
// lazy L2, which falls with the samples of all, falls by lambda / M of them; of clusters of several sizes that is right for their mean.
//
// Access by columns is a scheme of its own (engine/schemes/columns.cpp). Not built of the paper: access by columns to rows; full replication
// of the data, which sits in memory once, and of which every epoch's samples are shared out to all workers.
// Source: Zhang and Re, "DimmWitted: A Study of Main-Memory Statistical Analytics", VLDB 2014, section 3.
#include "engine/schemes/cluster_models.h"
#include "engine/schemes/replica_crew.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/model_average.h"

#include <algorithm>
#include <vector>

namespace hogwild {
namespace {

class Averages {
public:
    explicit Averages(Job& job) : job_(job), models_(job), places_(job.plan.threads) {
        period_ = exchange_period(job.plan, job.data.rows());
    }

    void begin(unsigned worker) {
        if (models_.count() < 2) return;
        places_[worker].read = PageArray<float>(std::size_t{models_.count()} * ModelAverage::kLine);
        if (models_.leads(worker) && models_.of(worker) > 0)
            std::copy_n(job_.buffer.data(), models_.size(), models_[models_.of(worker)]);
    }

    float* weights(unsigned worker) { return models_[models_.of(worker)]; }

    void stepped(unsigned worker, std::uint32_t samples, double) {
        Place& place = places_[worker];
        place.samples += samples;
        if (place.samples < period_) return;
        place.samples = 0;
        gather(worker);
    }

    void leave(unsigned, double) {}

    void rescale(unsigned worker, float factor) {
        gather(worker);
        const CoordinateRange range = slice_of(worker);
        for (unsigned c = 0; c < models_.count(); ++c) {
            for (std::uint32_t j = range.begin; j < range.end; ++j) models_[c][j] *= factor;
        }
    }

    void enter(unsigned, double) {}

    /// Averages its slice.
    void gather(unsigned worker) {
        if (models_.count() < 2) return;
        const CoordinateRange range = slice_of(worker);
        const ModelAverage average{models_.models(), models_.count(), places_[worker].read.data()};
        using On = OnLanes<ModelAverageBody, const ModelAverage&, std::uint32_t, std::uint32_t>;
        static constexpr decltype(&On::scalar) kForms[] = {On::scalar, On::avx2, On::avx512};
        kForms[static_cast<std::size_t>(job_.lanes)](average, range.begin, range.end);
    }

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

} // namespace

SchemeTotals Replicated::run(Job& job) { return ReplicaCrew<Averages>(job).run(); }

} // namespace hogwild
