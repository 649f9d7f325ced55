// Minibatch steps by the kernels of kernels/steps/batch.h, without the rest of a run: what the phases cost, and by whom they
// are best done.
//
// The batches are stored order's, the step constant, no L2. Thread-safety: disjoint samples in `emit`, then, all of them
// done, disjoint owners in `apply`.
#pragma once

#include "engine/memory/parameter_buffer.h"
#include "engine/schemes/sync/popularity.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace hogwild {

class BatchSteps {
public:
    BatchSteps(const AnyView& data, const Kernels& kernels, std::uint32_t batch, unsigned owners)
        : data_(data),
          emit_(kernels.emit[static_cast<std::size_t>(best_instruction_set())]),
          apply_(kernels.apply[static_cast<std::size_t>(best_instruction_set())]),
          batch_(batch),
          owners_(owners),
          weights_(data.coordinates()),
          rows_(data.rows()),
          values_(batch),
          cuts_(std::size_t{batch} * owners),
          bounds_(popularity_bounds(data, owners)) {
        std::iota(rows_.begin(), rows_.end(), 0u);
        forget();
    }

    std::uint32_t batches() const { return static_cast<std::uint32_t>((data_.rows() + batch_ - 1) / batch_); }
    std::uint32_t size(std::uint32_t b) const {
        return std::min(batch_, static_cast<std::uint32_t>(data_.rows()) - b * batch_);
    }

    /// Back to zero weights, written to, so that each coordinate has memory of its own.
    void forget() { std::fill_n(weights_.data(), weights_.size(), 0.0f); }

    /// Emits samples [begin, end) of batch b.
    void emit(std::uint32_t b, std::uint32_t begin, std::uint32_t end) {
        BatchEmit work;
        work.samples = rows_.data() + std::size_t{b} * batch_ + begin;
        work.count = end - begin;
        work.weights = weights_.data();
        work.scale = 1;
        work.emitted = values_.data() + begin;
        work.owners = owners_;
        work.bounds = bounds_.data();
        work.cuts = cuts_.data() + std::size_t{begin} * owners_;
        emit_(data_, work);
    }

    /// Batch b, to the coordinates of one owner.
    void apply(std::uint32_t b, std::uint32_t owner) {
        BatchApply work;
        work.samples = rows_.data() + std::size_t{b} * batch_;
        work.count = size(b);
        work.weights = weights_.data();
        work.factor = -kStep / static_cast<float>(work.count);
        work.emitted = values_.data();
        work.owners = owners_;
        work.owner = owner;
        work.bounds = bounds_.data();
        work.cuts = cuts_.data();
        apply_(data_, work);
    }

private:
    static constexpr float kStep = 8;

    AnyView data_;
    Kernels::Emit emit_;
    Kernels::Apply apply_;
    std::uint32_t batch_;
    unsigned owners_;
    ParameterBuffer weights_;
    std::vector<std::uint32_t> rows_;
    std::vector<float> values_;
    std::vector<std::uint32_t> cuts_;
    std::vector<std::uint32_t> bounds_;
};

} // namespace hogwild
