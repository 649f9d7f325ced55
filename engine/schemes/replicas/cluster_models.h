// The models of clusters of workers: every cluster steps on one of its own, the first one on the shared buffer.
//
// `plan.exchange.cluster` workers make a cluster, the last one may have fewer. They are neighbours, whose cores share caches and memory; under --pin
// numa, which deals workers out to the nodes in turn, every so-many-th one.
//
// Thread-safety: const once made, but for what lies in the models.
#pragma once

#include "engine/memory/pages.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/schemes/scheme.h"
#include "engine/workers/placement.h"

#include <vector>

namespace hogwild {

class ClusterModels {
public:
    explicit ClusterModels(const Job& job)
        : deals_(parse_pin(job.plan.pin) == Pin::kNuma),
          cluster_(job.plan.exchange.cluster),
          size_(job.buffer.size()),
          models_(clusters(job.plan)) {
        models_[0] = job.buffer.data();
        for (unsigned c = 1; c < count(); ++c) models_[c] = pages_.emplace_back(size_).data();
    }

    unsigned count() const { return static_cast<unsigned>(models_.size()); }
    unsigned of(unsigned worker) const { return deals_ ? worker % count() : worker / cluster_; }
    std::uint32_t size() const { return size_; }

    float* const* models() const { return models_.data(); }
    float* operator[](unsigned cluster) const { return models_[cluster]; }

    /// Whether the worker is its cluster's first.
    bool leads(unsigned worker) const { return worker == (deals_ ? of(worker) : of(worker) * cluster_); }

private:
    bool deals_;
    unsigned cluster_;
    std::uint32_t size_;
    std::vector<PageArray<float>> pages_;
    std::vector<float*> models_;
};

} // namespace hogwild
