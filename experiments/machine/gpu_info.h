// What `hogwild info` says about GPUs: what they are, what their attributes mean for sharing, what was measured.
//
// Thread-safety: pure functions.
#pragma once

#include "engine/machine/gpus.h"
#include "engine/measure/gpu_rates.h"
#include "experiments/text/json_fwd.h"

#include <optional>
#include <string>

namespace hogwild {

std::string gpu_text(const Gpus& gpus);
Json gpus_json(const Gpus& gpus);
/// Versions of driver and runtime.
Json cuda_json(const Gpus& gpus);

std::string rates_text(const GpuRates& rates);
Json rates_json(const GpuRates& rates);

/// A share of increments: all is "100 %", and one that merely rounds to it does not look the same.
std::string kept_text(const std::optional<double>& kept);

} // namespace hogwild
