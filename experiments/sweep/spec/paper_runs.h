// Which [[paper]]s of a sweep's file none of its runs is about, before any has run. For such a one the report would
// have nothing of ours beside its numbers (results/report/paper.py).
//
// A run has a value where the cell of its row has it, numbers as numbers. What means nothing for a run has no cell, and is "none":
// the staleness rule of steps that need not know their staleness.
// Thread-safety: const methods.
#pragma once

#include "experiments/sweep/spec/spec.h"

#include <string>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

class PaperRuns {
public:
    explicit PaperRuns(const std::vector<Paper>& papers);

    /// A run of this plan on the data of this name.
    void add(const Plan& plan, const std::string& data);

    /// A note on each.
    std::vector<std::string> notes() const;

private:
    std::vector<std::vector<Setting>> idle_; // `where` and `over` tables that fitted no run yet
};

} // namespace hogwild
