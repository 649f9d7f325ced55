#include "engine/schemes/replicas/cluster_averages.h"

#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "kernels/exchange/model_average.h"
#include "kernels/lanes/dispatch.h"

#include <algorithm>

namespace hogwild {

ClusterAverages::ClusterAverages(Job& job) : job_(job), models_(job), places_(job.plan.threads) {
    period_ = exchange_period(job.plan, job.data.rows());
}

void ClusterAverages::begin(unsigned worker) {
    if (models_.count() < 2) return;
    places_[worker].read = PageArray<float>(std::size_t{models_.count()} * ModelAverage::kLine);
    if (models_.leads(worker) && models_.of(worker) > 0)
        std::copy_n(job_.buffer.data(), models_.size(), models_[models_.of(worker)]);
}

void ClusterAverages::stepped(unsigned worker, std::uint32_t samples, double) {
    Place& place = places_[worker];
    place.samples += samples;
    if (place.samples < period_) return;
    place.samples = 0;
    gather(worker);
}

void ClusterAverages::rescale(unsigned worker, float factor) {
    gather(worker);
    const CoordinateRange range = slice_of(worker);
    for (unsigned c = 0; c < models_.count(); ++c) {
        for (std::uint32_t j = range.begin; j < range.end; ++j) models_[c][j] *= factor;
    }
}

void ClusterAverages::gather(unsigned worker) {
    if (models_.count() < 2) return;
    const CoordinateRange range = slice_of(worker);
    const ModelAverage average{models_.models(), models_.count(), places_[worker].read.data()};
    using On = OnLanes<ModelAverageBody, const ModelAverage&, std::uint32_t, std::uint32_t>;
    static constexpr decltype(&On::scalar) kForms[] = {On::scalar, On::avx2, On::avx512};
    kForms[static_cast<std::size_t>(job_.lanes)](average, range.begin, range.end);
}

} // namespace hogwild
