// The schemes, and what they share.
#pragma once

#include "engine/schemes/scheme.h"

#include <cstdint>
#include <functional>

namespace hogwild {

class Serial : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class Hogwild : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class RoundRobin : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class ConflictFree : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class Minibatch : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

/// Minibatch where a GPU takes the batches.
SchemeTotals run_on_gpu(Job& job);

/// Below it, before a batch, minibatch multiplies the scale of lazy L2 into the weights and starts again at 1.
inline constexpr double kSmallestScale = 0x1p-64;

class BackupWorkers : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

/// Of its steps: how many shares one wants, each of another worker, and the most samples of a share.
struct WantedShares {
    std::uint32_t count, largest;
};
WantedShares wanted_shares(const Plan& plan, std::uint64_t rows);

class LocalSgd : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class AsyncLocalSgd : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class Svrg : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class Saga : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class Columns : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class Cyclades : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class HogwildPp : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class Replicated : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

/// An observation is due once chunk g is done, and whoever did it takes it (the last one is taken after the join).
bool is_due(Job& job, std::uint64_t g);

/// Chunk g is done: reports progress, and takes the observation that is due. `consumed`: samples that all workers have stepped
/// through when it is called.
void observe(Job& job, std::uint64_t g, const std::function<std::uint64_t()>& consumed);

} // namespace hogwild
