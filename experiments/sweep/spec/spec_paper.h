// A [[paper]] of a sweep's file: a publication's number, which the report prints beside ours. The report reads it from the
// sweep's folder (results/report/paper.py), so here it is checked, before anything runs, and what it is about is kept.
//
// Thread-safe: a pure function. Errors: Error (Failure::kUsage) with the line.
#pragma once

#include "experiments/sweep/spec/spec.h"

namespace hogwild {

class SpecReader;

/// Throws unless the table has all that a reader needs, `column` is one that runs measure, and its runs are described by axes.
Paper read_paper(const SpecReader& table);

} // namespace hogwild
