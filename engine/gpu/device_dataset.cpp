#include "engine/gpu/device_dataset.h"

#include "engine/data/borrowed_arrays.h"
#include "engine/gpu/stream.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace hogwild {

void upload(void* device, const void* host, std::size_t bytes) {
    constexpr std::size_t kPiece = std::size_t{8} << 20;
    const Stream stream;
    const std::size_t piece = std::min(bytes, kPiece);
    const std::array<PinnedArray<std::byte>, 2> buffers{PinnedArray<std::byte>(piece), PinnedArray<std::byte>(piece)};
    const std::array<Event, 2> sent;
    for (std::size_t at = 0, k = 0; at < bytes; at += piece, ++k) {
        const std::size_t count = std::min(piece, bytes - at);
        const PinnedArray<std::byte>& buffer = buffers[k % 2];
        if (k >= 2) sent[k % 2].wait();
        std::memcpy(buffer.data(), static_cast<const std::byte*>(host) + at, count);
        check(cudaMemcpyAsync(static_cast<std::byte*>(device) + at, buffer.data(), count, cudaMemcpyHostToDevice,
                              stream.get()),
              "a copy to the device");
        sent[k % 2].record(stream);
    }
    stream.wait();
}

DeviceDataset::DeviceDataset(const AnyView& samples) {
    std::vector<const void*> places;
    for (const BorrowedArray& array : borrowed_arrays(samples)) {
        const DeviceArray<std::byte>& there = arrays_.emplace_back(array.bytes);
        upload(there.data(), array.data, array.bytes);
        places.push_back(there.data());
    }
    view_ = moved(samples, places);
}

} // namespace hogwild
