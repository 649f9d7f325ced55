// How far snapshots of workers that claim or take turns may be from the samples' order (unsure_samples of engine/run.h).
#include "engine/order/timeline.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/schemes/all.h"
#include "engine/schemes/walk/claims.h"
#include "kernels/catalog.h"

#include <algorithm>

namespace hogwild {
namespace {

std::uint64_t unsure_of(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot, std::uint64_t chunks) {
    const Timeline timeline(plan, static_cast<std::uint32_t>(rows));
    return chunks * timeline.positions(0).count + snapshot.consumed;
}

} // namespace

bool lies_in_tiles(std::string_view problem) {
    return with_problem(problem, [](auto p) {
        return requires { decltype(p)::Pattern::View::tile_side(1); };
    });
}

std::uint64_t unsure_of_a_chunk(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot) {
    return unsure_of(plan, rows, snapshot, 1);
}

std::uint64_t unsure_of_claims(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot) {
    const std::uint64_t block =
        lies_in_tiles(plan.problem) ? Claims::kMostTogether : with_problem(plan.problem, [=]<class P>(P) {
            return P::Pattern::View::together(rows) / Timeline::kCell;
        });
    return unsure_of(plan, rows, snapshot, 2 * block * cpu_workers(plan) + 1);
}

} // namespace hogwild
