// The part of a sweep that one machine takes: --shard 2/4.
//
// Thread-safe: pure functions. Errors: Error (Failure::kUsage).
#pragma once

#include "experiments/sweep/spec/spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hogwild {

/// The seeds i, i + n, ... of the final runs, so that what is compared with each other runs on one machine. Trials are done
/// before, once for all shards.
struct Shard {
    unsigned number = 1; // from 1
    unsigned of = 1;
};

/// "2/4".
Shard parse_shard(const std::string& text);

/// Its final seeds: at least one.
std::vector<std::uint64_t> seeds_of(const Spec& spec, const Shard& shard);

/// STEM and ending of its own, so that folders of shards merge by copying: "summary-2of4.csv"; "summary.csv" of one shard.
std::string shard_file(const std::string& stem, const Shard& shard, const std::string& ending);

} // namespace hogwild
