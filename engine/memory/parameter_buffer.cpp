#include "engine/memory/parameter_buffer.h"

#include "kernels/atomic.h"
#include "kernels/lanes/copy.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/patterns/low_precision_steps.h"

#include <algorithm>
#include <cstdlib>
#include <span>

namespace hogwild {
namespace {

template <class Number>
struct CopyBody {
    template <class Lanes>
    static void run(float* out, const Cells<Number>& cells, std::uint32_t size) {
        LowPrecision<Lanes, Number>::copy(out, cells, size);
    }
};

template <class Number>
void copy(float* out, const Cells<Number>& cells, std::uint32_t size) {
    using On = OnLanes<CopyBody<Number>, float*, const Cells<Number>&, std::uint32_t>;
    static constexpr decltype(&On::scalar) kForms[] = {On::scalar, On::avx2, On::avx512};
    kForms[static_cast<std::size_t>(best_instruction_set())](out, cells, size);
}

} // namespace

ParameterBuffer::ParameterBuffer(std::uint32_t columns, MemoryKind kind, const std::vector<CoordinateRange>& own,
                                 double int8_range)
    : kind_(kind), columns_(columns), int8_(Int8::of_range(int8_range)) {
    if (!own.empty()) {
        constexpr std::size_t kLine = 64;
        std::vector<ViewedPages::Range> ranges;
        for (const auto& [begin, end] : own)
            ranges.push_back({begin * sizeof(float), (end * sizeof(float) + kLine - 1) / kLine * kLine});
        viewed_ = ViewedPages(ranges, columns * sizeof(float));
        host_ = static_cast<float*>(viewed_.data());
        return;
    }
    const bool one = is_one_buffer(kind) && !is_host(kind);
    if (!one) pages_ = PageArray<float>(columns);
    if (is_doubles(kind)) doubles_ = PageArray<double>(columns);
    if (is_low_precision(kind)) {
        const std::size_t word = sizeof(std::uint32_t); // what vectors gather
        bytes_ = PageArray<std::byte>((columns * bytes_of(storage_of(kind)) + word - 1) / word * word);
    }
    std::ranges::fill(pages_.span(), 0.0f); // no page fault on the clock
    std::ranges::fill(doubles_.span(), 0.0);
    std::ranges::fill(bytes_.span(), std::byte{0});
    if (!is_host(kind)) {
        link_ = make_link_memory(is_replica(kind) ? MemoryKind::kDevice : kind, columns);
    }
    host_ = one ? static_cast<float*>(link_->host()) : pages_.data();
}

StoredWeights ParameterBuffer::stored() const {
    return link_ ? StoredWeights{link_->device(), storage_of(kind_)} : StoredWeights{};
}

float* ParameterBuffer::on_device() const { return static_cast<float*>(stored().at); }

void ParameterBuffer::snapshot(float* out) const {
    if (is_low_precision(kind_)) return with_cells([&](const auto& cells) { copy(out, cells, columns_); });
    if (doubles() != nullptr) return copy_shared(out, doubles(), columns_);
    copy_shared(out, host_, columns_);
}

std::uint64_t ParameterBuffer::saturated() const {
    if (!is_low_precision(kind_) || storage_of(kind_) != Storage::kInt8) return 0;
    const std::span cells(reinterpret_cast<const std::int8_t*>(bytes_.data()), columns_);
    return static_cast<std::uint64_t>(std::ranges::count_if(cells, [](int k) { return std::abs(k) == 127; }));
}

void ParameterBuffer::download() {
    if (is_device(kind_)) link_->download(host_);
    if (is_doubles(kind_) || is_low_precision(kind_)) snapshot(host_);
}

void ParameterBuffer::upload() {
    if (is_device(kind_) || is_replica(kind_)) link_->upload(host_);
    if (is_doubles(kind_)) std::copy_n(host_, columns_, doubles_.data());
    if (!is_low_precision(kind_)) return;
    with_cells([&]<class Number>(const Cells<Number>& cells) {
        for (std::uint32_t j = 0; j < columns_; ++j) cells.store(j, host_[j], kHalfWay<Number>);
    });
}

void ParameterBuffer::rescale(std::uint32_t begin, std::uint32_t end, float factor) {
    for (std::uint32_t j = begin; j < end; ++j) relaxed_store(host_[j], relaxed_load(host_[j]) * factor);
}

void ParameterBuffer::rescale_stepped(std::uint32_t begin, std::uint32_t end, float factor, std::uint32_t seed) {
    if (!is_low_precision(kind_)) return rescale(begin, end, factor);
    with_cells([&](const auto& cells) { hogwild::rescale(cells, begin, end, factor, kind_.rounding, seed); });
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
