// A gradient that takes longer than its arithmetic: each step waits between reading the weights and writing them, as a costlier
// loss would. Locks of a guard that already reads are held meanwhile; a turn is waited for afterwards.
// Source: Recht, Re, Wright, Niu, "HOGWILD!", NIPS 2011, whose artificial delay shows where round-robin catches up.
#pragma once

#include "kernels/wait_for.h"
#include "kernels/worker_context.h"

#include <cstdint>

namespace hogwild {

/// What `Probe` watches, delayed by WorkerContext::delay.
template <class Probe>
class Delayed : public Probe {
public:
    explicit Delayed(WorkerContext& context) : Probe(context), nanoseconds_(context.delay) {}

    void computed() { wait_for(nanoseconds_); }

private:
    std::uint64_t nanoseconds_;
};

} // namespace hogwild
