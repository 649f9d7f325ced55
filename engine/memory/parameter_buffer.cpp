#include "engine/memory/parameter_buffer.h"

#include "kernels/atomic.h"
#include "kernels/lanes/copy.h"

#include <algorithm>

namespace hogwild {

ParameterBuffer::ParameterBuffer(std::uint32_t columns, MemoryKind kind, std::uint32_t front)
    : kind_(kind), columns_(columns) {
    if (front > 0) {
        constexpr std::size_t kLine = 64;
        fronted_ = FrontedPages((front * sizeof(float) + kLine - 1) / kLine * kLine, columns * sizeof(float));
        host_ = static_cast<float*>(fronted_.data());
        return;
    }
    const bool one = is_one_buffer(kind) && !is_host(kind);
    if (!one) pages_ = PageArray<float>(columns);
    if (kind == MemoryKind::kHostFp64) doubles_ = PageArray<double>(columns);
    std::ranges::fill(pages_.span(), 0.0f); // no page fault on the clock
    std::ranges::fill(doubles_.span(), 0.0);
    if (!is_host(kind)) {
        link_ = make_link_memory(kind == MemoryKind::kReplica ? MemoryKind::kDevice : kind, columns);
    }
    host_ = one ? static_cast<float*>(link_->host()) : pages_.data();
}

StoredWeights ParameterBuffer::stored() const {
    return link_ ? StoredWeights{link_->device(), storage_of(kind_)} : StoredWeights{};
}

float* ParameterBuffer::on_device() const { return static_cast<float*>(stored().at); }

void ParameterBuffer::download() {
    if (is_device(kind_)) link_->download(host_);
    if (kind_ == MemoryKind::kHostFp64) copy_shared(host_, doubles_.data(), columns_);
}

void ParameterBuffer::upload() {
    if (is_device(kind_) || kind_ == MemoryKind::kReplica) link_->upload(host_);
    if (kind_ == MemoryKind::kHostFp64) std::copy_n(host_, columns_, doubles_.data());
}

void ParameterBuffer::rescale(std::uint32_t begin, std::uint32_t end, float factor) {
    for (std::uint32_t j = begin; j < end; ++j) relaxed_store(host_[j], relaxed_load(host_[j]) * factor);
}

CoordinateRange slice(std::uint32_t coordinates, std::uint32_t part, std::uint32_t parts) {
    constexpr std::uint64_t kPerLine = 16;
    const std::uint64_t lines = (coordinates + kPerLine - 1) / kPerLine;
    const auto bound = [&](std::uint64_t p) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(lines * p / parts * kPerLine, coordinates));
    };
    return {bound(part), bound(part + 1)};
}

} // namespace hogwild
