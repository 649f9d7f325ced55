// Copies of samples, chosen and ordered by number. Ratings have none: they are moved in place (split.cpp, shuffle.cpp).
//
// Copies in parallel into huge pages; the same bits at any thread count. Thread-safety: any number of calls at once. Errors: throws
// Error when memory is refused.
#pragma once

#include "engine/data/dataset.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace hogwild {

/// A view, and what owns its memory, unshared.
struct OwnedSamples {
    AnyView view;
    std::shared_ptr<DatasetStorage> storage;
};

/// Sample i of `rows` is sample number(i) of `from`; `number` is called from several threads.
OwnedSamples gathered(const SparseView& from, std::uint32_t rows,
                      const std::function<std::uint32_t(std::uint32_t)>& number);
OwnedSamples gathered(const EdgesView& from, std::uint32_t rows,
                      const std::function<std::uint32_t(std::uint32_t)>& number);
OwnedSamples gathered(const ImagesView& from, std::uint32_t rows,
                      const std::function<std::uint32_t(std::uint32_t)>& number);

} // namespace hogwild
