// The locks of all the sample's coordinates, held from before the read to after the write: every step sees a consistent
// sample, and the run is serial SGD in some order.
#pragma once

#include "kernels/updates/guards/stripes.h"

#include <string_view>

namespace hogwild {

class LockedRead {
public:
    static constexpr std::string_view name = "locked-read";

    explicit LockedRead(WorkerContext& context) : stripes_(context) {}

    void before_read(const SparseRow& row) { stripes_.take_all(row); }
    void before_write(const SparseRow&) {}
    void after_write(const SparseRow& row) { stripes_.release_all(row); }
    void nothing_to_write(const SparseRow& row) { stripes_.release_all(row); }

private:
    Stripes stripes_;
};

} // namespace hogwild
