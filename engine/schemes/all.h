// The schemes, and what they share.
#pragma once

#include "engine/schemes/scheme.h"

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

class Minibatch : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

class LocalSgd : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

/// Chunk g is done: takes the observation that is due, and reports progress. `reached` >= g: as far as all workers have
/// come by now, which is what the buffer holds when this one was late.
void observe(Job& job, std::uint64_t g, std::uint64_t reached);

} // namespace hogwild
