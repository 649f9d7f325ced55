// The ceiling of programs that train on a GPU: what reading the samples once would take at the bandwidth of a copy within
// device memory. Only in builds with CUDA.
#pragma once

#include "engine/data/dataset.h"
#include "engine/error.h"
#include "engine/gpu/memory/device_memory.h"
#include "engine/gpu/stream.h"
#include "engine/machine/gpus.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/csr_bytes.h"

#include <cstddef>
#include <memory>

namespace hogwild {

/// Adds the row "read samples" and makes it the ceiling. It holds 4 GB of device memory. Throws Error (Failure::kMissing)
/// where there is no GPU.
inline void add_device_ceiling(Bench& bench, const Dataset& data) {
    if (const Gpus gpus = read_gpus(); gpus.list.empty()) {
        throw Error(Failure::kMissing, "no GPU", gpus.why_none, "run it on a machine with a GPU and its driver");
    }
    const std::size_t bytes = std::size_t{2} << 30;
    const auto from = std::make_shared<DeviceArray<std::byte>>(bytes),
               to = std::make_shared<DeviceArray<std::byte>>(bytes);
    const auto stream = std::make_shared<Stream>();
    bench.add("read samples", [=] {
        const Event start, end;
        start.record(*stream);
        check(cudaMemcpyAsync(to->data(), from->data(), bytes, cudaMemcpyDeviceToDevice, stream->get()), "a copy");
        end.record(*stream);
        end.wait();
        const SparseView view = data.sparse();
        const double read = view.dense() ? dense_bytes(view) : csr_bytes(view);
        const double seconds = end.seconds_since(start) / (2.0 * static_cast<double>(bytes)) * read;
        return Measurement{seconds, static_cast<double>(view.nonzeros()), {{"GB/s", read / seconds * 1e-9}}};
    });
    bench.set_ceiling("read samples");
}

} // namespace hogwild
