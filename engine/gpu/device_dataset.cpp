#include "engine/gpu/device_dataset.h"

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

DeviceDataset::DeviceDataset(const SparseView& samples)
    : offsets_(samples.rows + 1),
      indices_(samples.nonzeros()),
      values_(samples.nonzeros()),
      labels_(samples.rows),
      rows_(samples.rows),
      columns_(samples.columns) {
    upload(offsets_.data(), samples.offsets, offsets_.bytes());
    upload(indices_.data(), samples.indices, indices_.bytes());
    upload(values_.data(), samples.values, values_.bytes());
    upload(labels_.data(), samples.labels, labels_.bytes());
}

SparseView DeviceDataset::view() const {
    return {offsets_.data(), indices_.data(), values_.data(), labels_.data(), rows_, columns_};
}

} // namespace hogwild
