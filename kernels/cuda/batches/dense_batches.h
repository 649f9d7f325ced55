// The launches of a synchronous minibatch step on samples that hold every column (kernels/cuda/batches/batches.h), but for its two
// products, which are a library's. Readable by the host compiler.
//
//   rows = the batch's samples                      gather_rows
//   slopes = rows . v                               a product
//   slopes = factor x slope(scale x slopes, label)  DeviceKernels::batch_slopes
//   v += rows^T . slopes                            a product
//
// Positions beyond the epoch's last sample keep the rows that lay there, which are finite, and have slope zero.
#pragma once

#include "kernels/cuda/batches/batches.h"

namespace hogwild {

/// On the stream.
cudaError_t gather_rows(const DeviceBatches& run, std::uint32_t number, cudaStream_t stream);

} // namespace hogwild
