// One increment under a guard, as kernels/patterns/sparse_rows.h holds it around a step's writes: what a lock costs a coordinate.
//
// Used where update policies are (kernels/updates): it takes an increment as a row of one coordinate, under Guard, by Racy.
// Thread-safety: that of the guard; one for each worker.
#pragma once

#include "kernels/updates/racy.h"
#include "kernels/views/sparse_view.h"
#include "kernels/worker_context.h"

#include <cstdint>

namespace hogwild {

template <class Guard>
class GuardedAdd {
public:
    /// `cells`: where coordinate 0 lies.
    GuardedAdd(WorkerContext& context, const float* cells) : guard_(context), cells_(cells) {}

    void add(float& coordinate, float increment) const {
        const auto index = static_cast<std::uint32_t>(&coordinate - cells_);
        const SparseRow row{&index, &increment, 1, 0};
        guard_.before_write(row);
        racy_.add(coordinate, increment);
        guard_.after_write(row);
    }

private:
    mutable Guard guard_;
    Racy racy_;
    const float* cells_;
};

} // namespace hogwild
