#include "engine/data/columns/narrow.h"

#include "engine/data/columns/renumber.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace hogwild {
namespace {

constexpr std::uint64_t kFewColumns = 1 << 20, kColumnsOfEntry = 4;

/// Numbers of columns, beside what owns all else of the samples.
struct NarrowedRows final : DatasetStorage {
    NarrowedRows(std::shared_ptr<const std::vector<std::uint32_t>> numbers_of_both, Dataset samples)
        : numbers(std::move(numbers_of_both)), from(std::move(samples)) {}

    std::shared_ptr<const std::vector<std::uint32_t>> numbers;
    Dataset from;
};

} // namespace

std::vector<float> FileColumns::widened(std::vector<float> weights) const {
    if (numbers.empty()) return weights;
    std::vector<float> wide(all);
    for (std::size_t i = 0; i < numbers.size(); ++i) wide[numbers[i]] = weights[i];
    return wide;
}

std::vector<float> FileColumns::narrowed(std::vector<float> weights) const {
    if (numbers.empty()) return weights;
    std::vector<float> few(numbers.size());
    for (std::size_t i = 0; i < numbers.size() && numbers[i] < weights.size(); ++i) few[i] = weights[numbers[i]];
    return few;
}

FileColumns narrow(Dataset& train, Dataset* test) {
    if (!train.view().is<SparseView>()) return {};
    std::vector<Dataset*> sets{&train};
    if (test != nullptr) sets.push_back(test);
    std::uint64_t entries = 0;
    for (const Dataset* each : sets) entries += each->sparse().nonzeros();
    const std::uint32_t all = train.sparse().columns;
    if (all < kFewColumns || all / kColumnsOfEntry < entries || entries == 0) return {};

    const auto numbers = std::make_shared<std::vector<std::uint32_t>>();
    numbers->reserve(entries);
    for (const Dataset* each : sets) {
        const SparseView rows = each->sparse();
        numbers->insert(numbers->end(), rows.indices, rows.indices + rows.nonzeros());
    }
    FileColumns columns{all, renumber(*numbers)};
    const std::uint32_t* begin = numbers->data();
    for (Dataset* each : sets) {
        SparseView rows = each->sparse();
        rows.indices = std::exchange(begin, begin + rows.nonzeros());
        rows.columns = static_cast<std::uint32_t>(columns.numbers.size());
        *each = {each->name(), each->content_hash(), rows, std::make_shared<NarrowedRows>(numbers, *each)};
    }
    return columns;
}

} // namespace hogwild
