// Results folders as `hogwild run` would leave them, made up: for tests of what reads them.
#pragma once

#include "engine/plan/plan.h"
#include "engine/record/targets.h"
#include "experiments/folder/result.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace hogwild {

/// A run of `scheme` that reached the target after so many seconds; 0: that missed it within 10.
inline Result made_up_run(const std::string& scheme, unsigned threads, std::uint64_t seed, double seconds) {
    Result result;
    result.run = scheme + "-t" + std::to_string(threads) + "-s" + std::to_string(seed);
    result.data = "synthetic:rcv1/20";
    result.rows = 1000;
    result.plan.problem = "hinge";
    result.plan.scheme = scheme;
    result.plan.threads = threads;
    result.plan.seed = seed;
    result.plan.l2 = 1e-4;
    result.outcome.status = "done";
    result.outcome.seconds = 10;
    result.outcome.updates = 20000;
    result.target = 0.25;
    result.to_target.reached = seconds > 0;
    if (seconds > 0) {
        result.to_target.seconds = seconds;
        result.to_target.updates = 8000 + 100 * static_cast<double>(seed);
    }
    return result;
}

inline std::filesystem::path made_up_folder(const std::filesystem::path& folder, const std::vector<Result>& runs) {
    std::filesystem::create_directories(folder);
    std::ofstream file(folder / "summary.csv", std::ios::binary);
    file << summary_header();
    for (const Result& run : runs) file << summary_line(run);
    return folder;
}

/// Five seeds of serial and of hogwild on two threads, whose times are those of serial times `factor`.
inline std::vector<Result> five_seeds(double factor) {
    std::vector<Result> runs;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const double noise = 1 + 0.002 * static_cast<double>(seed * seed % 5);
        runs.push_back(made_up_run("serial", 1, seed, noise));
        runs.push_back(made_up_run("hogwild", 2, seed, factor * (1 + 0.001 * static_cast<double>(seed)) * noise));
    }
    return runs;
}

} // namespace hogwild
