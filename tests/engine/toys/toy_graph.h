// Small runs over edges for the laws of schemes.
#pragma once

#include "engine/plan/plan.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/random_graph.h"

#include <memory>
#include <string>
#include <utility>

namespace hogwild {

struct GraphStorage : DatasetStorage {
    TestGraph graph;
};

inline Dataset graph_dataset(TestGraph graph) {
    auto storage = std::make_shared<GraphStorage>();
    storage->graph = std::move(graph);
    const EdgesView view = storage->graph.view();
    return {"graph", 1, view, storage};
}

inline Plan cut_plan(const std::string& scheme, unsigned threads = 1) {
    Plan plan = toy_plan(scheme, threads);
    plan.problem = "cut";
    plan.step.size = 0.1;
    plan.l2 = 0;
    return plan;
}

/// A plan that finds minimum cuts of small graphs.
inline Plan long_cut_plan(const std::string& scheme, unsigned threads = 1) {
    Plan plan = cut_plan(scheme, threads);
    plan.epochs = 100;
    plan.step.decay = 0.96;
    plan.observations_per_epoch = 1;
    plan.update = "atomic";
    plan.exchange.period = 20;
    plan.batch.size = 4;
    if (scheme == "minibatch") plan.step.size = 0.4;
    return plan;
}

} // namespace hogwild
