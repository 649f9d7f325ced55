// What a coordinate of the parameter buffer is in memory: a float, or a number of 16 or 8 bits.
//
//   bf16   8 significant bits, the range of a float
//   fp16   11 significant bits, magnitudes from 6e-8 to 65,504
//   int8   -127 to 127 times a step that the whole buffer has; CPU threads alone
//
// In so few bits most increments of SGD are smaller than half the distance to the next number. Rounding to the nearest
// would lose them all. So steps round without bias (kernels/numbers/half.h, kernels/numbers/int8.h), unless asked not
// to (kernels/numbers/rounding.h).
#pragma once

#include <cstddef>

namespace hogwild {

enum class Storage { kFloat32, kBf16, kFp16, kInt8 };

inline constexpr std::size_t kHalfStorages = 2; // kBf16, kFp16: those that GPUs have

constexpr std::size_t bytes_of(Storage storage) {
    return storage == Storage::kFloat32 ? 4 : storage == Storage::kInt8 ? 1 : 2;
}

/// An array of parameters, and what its coordinates are.
struct StoredWeights {
    void* at = nullptr;
    Storage storage = Storage::kFloat32;
};

} // namespace hogwild
