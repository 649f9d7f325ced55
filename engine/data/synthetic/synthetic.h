// Planted linear problems: sparse rows whose labels come from known weights, so that there is something to learn.
//
// A row is a short document. Words are drawn from a Zipf distribution over `features` ranks, P(r) ~ 1 / r^zipf, until the row
// holds its number of distinct words. A word drawn f times gets the value (1 + log f) idf, idf = log(1 + 1 / (nonzeros P)),
// and the row is scaled to unit norm. With zipf near 1 the hottest word is in nearly every row (Delta near 1), as Recht et al.
// 2011 report of RCV1. The label is the sign of <planted, row>, flipped with probability `noise`. Row lengths are log-normal
// around `nonzeros` (`spread` = standard deviation of the logarithm; 0 = all equal). Planted weights are bell-shaped, and
// smaller for rare words (by the root of their popularity), so that a learner can find most of them.
//
// The bits are the same on every machine and at any number of threads. Each row has its own Philox counters. Everything
// is built from IEEE additions, multiplications, divisions and square roots (engine/data/synthetic/portable_math.h),
// never from libm. Held-out rows use a disjoint range of counters and the same planted weights.
#pragma once

#include "engine/data/dataset.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hogwild {

struct SyntheticRecipe {
    std::uint64_t rows = 10000;
    std::uint32_t features = 2000;
    double nonzeros = 20;  // mean per row
    double zipf = 1.0;     // exponent of the popularity; 0 = uniform
    double noise = 0.05;   // probability that a label is flipped
    double spread = 0.0;   // standard deviation of log(row length)
    bool shuffled = true;  // feature ids in random order (as alphabetical ids are); false: by falling popularity
    bool held_out = false; // a tenth as many rows (rounded up), none of them in the training set
    std::uint64_t seed = 1;
};

/// Reads "synthetic:rcv1", "synthetic:rcv1/10" (rows divided by 10), "synthetic:tiny",
/// "synthetic:rows=10000,features=2000,nonzeros=20, zipf=1.1,noise=0.05,spread=0.5,order=frequency|shuffled,held-out", or a preset
/// followed by such keys. `seed=` in the name wins over the argument. Throws Error (Failure::kUsage) that names the known keys.
SyntheticRecipe parse_synthetic(const std::string& name, std::uint64_t seed);

/// True for names that parse_synthetic is responsible for.
bool is_synthetic(const std::string& name);

/// Every field in a fixed order; two recipes generate the same bits if and only if these texts are equal.
std::string to_string(const SyntheticRecipe& recipe);

/// Generates the rows in parallel. The content hash is XXH3 of to_string(recipe).
Dataset generate(const SyntheticRecipe& recipe, const std::string& name);

} // namespace hogwild
