// How a plan's teams of a GPU exchange replicas of a network (kernels/cuda/network/team_replica.cuh). They do it as
// threads do (engine/schemes/replicas/shared_model.h), but without segments: a network's are due together anyway.
//
// Thread-safety: pure functions.
#pragma once

#include "kernels/cuda/network/replica_rule.h"

#include <cstdint>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// For a device that runs so many teams at once, over so many samples. A team alone has nobody to exchange with: it
/// steps on the shared weights, which is serial's path.
ReplicaRule replica_rule(const Plan& plan, std::uint64_t rows, std::uint32_t teams);

} // namespace hogwild
