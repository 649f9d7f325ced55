// What the integers of a batch's sums count (kernels/cuda/batches/sum_unit.h), by how large the terms of such samples are. Only in
// builds with CUDA.
//
// A run's terms grow with its weights. Each answer is for weights as they are before a run diverges, and the unit
// leaves room for a thousand times that.
#pragma once

#include "engine/gpu/stream.h"
#include "kernels/cuda/batches/sum_unit.h"
#include "kernels/views/any_view.h"

#include <cstdint>

namespace hogwild {

/// For batches of `size` samples: `data` in host memory, `there` on the device. Errors: throws what largest_magnitude throws
/// (kernels/cuda/memory/magnitude.h).
SumUnit unit_of(const AnyView& data, const AnyView& there, std::uint32_t size, const Stream& stream);

} // namespace hogwild
