// Runs whose weights are the same bits whatever the order of their steps: for laws of lost updates.
#pragma once

#include "engine/plan/plan.h"
#include "tests/engine/toys/toy_run.h"

#include <string>

namespace hogwild {

/// Three nonzeros a sample; labels and values are signs and powers of two.
inline TestSamples exact_samples(std::uint32_t rows) {
    TestSamples samples;
    samples.columns = 50;
    TestNumbers numbers(7);
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint32_t at = numbers.bits() % 48;
        samples.add(numbers.bits() % 2 == 0 ? 1.0f : -1.0f, {at, at + 1, at + 2}, {1.0f, 0.5f, 2.0f});
    }
    return samples;
}

/// Hinge with steps so small that every margin stays below 1: each sample adds step x label x value, whatever came before.
inline Plan exact_plan(const std::string& scheme, unsigned threads = 1) {
    Plan plan = toy_plan(scheme, threads);
    plan.update = "atomic";
    plan.l2 = 0;
    plan.step.kind = "constant";
    plan.step.size = 0x1p-20;
    return plan;
}

} // namespace hogwild
