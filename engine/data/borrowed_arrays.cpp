#include "engine/data/borrowed_arrays.h"

#include "engine/memory/pages.h"

#include <cstring>
#include <numeric>
#include <type_traits>

namespace hogwild {
namespace {

struct CopiedArrays final : DatasetStorage {
    std::vector<Pages> arrays;
};

} // namespace

std::vector<BorrowedArray> borrowed_arrays(const AnyView& view) {
    std::vector<BorrowedArray> arrays;
    view.visit([&]<class View>(const View& of) {
        View::for_each_array(of, [&](const auto* array, std::uint64_t entries) {
            arrays.push_back({array, entries * sizeof *array});
        });
    });
    return arrays;
}

std::uint64_t array_bytes(const AnyView& view) {
    const auto arrays = borrowed_arrays(view);
    return std::accumulate(arrays.begin(), arrays.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const BorrowedArray& array) { return sum + array.bytes; });
}

AnyView moved(AnyView view, std::span<const void* const> to) {
    auto place = to.begin();
    view.visit([&]<class View>(View& of) {
        View::for_each_array(of, [&](auto*& array, std::uint64_t) {
            array = static_cast<std::remove_reference_t<decltype(array)>>(*place++);
        });
    });
    return view;
}

Dataset copied(const Dataset& data) {
    auto storage = std::make_shared<CopiedArrays>();
    std::vector<const void*> places;
    for (const BorrowedArray& array : borrowed_arrays(data.view())) {
        const Pages& pages = storage->arrays.emplace_back(array.bytes);
        if (array.bytes > 0) std::memcpy(pages.data(), array.data, array.bytes);
        places.push_back(pages.data());
    }
    return {data.name(), data.content_hash(), moved(data.view(), places), std::move(storage)};
}

} // namespace hogwild
