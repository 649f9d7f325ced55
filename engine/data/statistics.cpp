#include "engine/data/statistics.h"

#include "engine/data/columns/renumber.h"
#include "engine/machine/memory_budget.h"
#include "engine/machine/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kGrain = 1 << 14; // rows per task

template <class Number>
Quantiles quantiles_of(std::vector<Number> numbers) {
    Quantiles quantiles;
    if (numbers.empty()) return quantiles;
    double sum = 0;
    for (const Number number : numbers) sum += static_cast<double>(number);
    std::sort(numbers.begin(), numbers.end());
    // The nearest rank: a value that occurs.
    auto at = [&](double share) {
        const double rank = std::ceil(share * static_cast<double>(numbers.size()));
        return static_cast<double>(numbers[static_cast<std::size_t>(std::max(rank, 1.0)) - 1]);
    };
    quantiles.mean = sum / static_cast<double>(numbers.size());
    quantiles.min = static_cast<double>(numbers.front());
    quantiles.p10 = at(0.10);
    quantiles.median = at(0.50);
    quantiles.p90 = at(0.90);
    quantiles.p99 = at(0.99);
    quantiles.max = static_cast<double>(numbers.back());
    return quantiles;
}

double norm(const SparseRow& row) {
    double square = 0;
    for (std::uint32_t k = 0; k < row.size; ++k)
        square += static_cast<double>(row.value[k]) * static_cast<double>(row.value[k]);
    return std::sqrt(square);
}

void describe_rows(SparseView view, Statistics& statistics) {
    std::vector<std::uint32_t> lengths(view.rows);
    std::vector<float> norms(view.rows);
    parallel_for(view.rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            lengths[i] = view.row(i).size;
            norms[i] = static_cast<float>(norm(view.row(i)));
        }
    });
    statistics.empty_rows = static_cast<std::uint64_t>(std::count(lengths.begin(), lengths.end(), 0U));
    statistics.omega = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
    statistics.row_nonzeros = quantiles_of(std::move(lengths));
    statistics.row_norms = quantiles_of(std::move(norms));
    const std::span labels(view.labels, view.rows);
    const auto positive = std::count_if(labels.begin(), labels.end(), [](float label) { return label > 0; });
    statistics.positive_share = view.rows == 0 ? 0 : static_cast<double>(positive) / static_cast<double>(view.rows);
    statistics.labels = quantiles_of(std::vector<float>(labels.begin(), labels.end()));
}

void describe_columns(const std::vector<std::uint64_t>& counts, std::uint32_t wanted, Statistics& statistics) {
    std::vector<std::uint32_t> used;
    for (std::uint32_t column = 0; column < counts.size(); ++column) {
        if (counts[column] > 0) used.push_back(column);
    }
    statistics.used_columns = static_cast<std::uint32_t>(used.size());
    const auto shown = static_cast<std::ptrdiff_t>(std::min<std::size_t>(std::max(wanted, 1U), used.size()));
    std::partial_sort(used.begin(), used.begin() + shown, used.end(), [&](std::uint32_t a, std::uint32_t b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
    });
    const auto rows = static_cast<double>(statistics.rows);
    if (!used.empty()) statistics.delta = static_cast<double>(counts[used.front()]) / rows;
    for (std::size_t i = 0; i < std::min<std::size_t>(wanted, used.size()); ++i) {
        statistics.hottest.push_back({used[i], static_cast<double>(counts[used[i]]) / rows});
    }
}

} // namespace

std::vector<std::uint64_t> group_counts(const AnyView& data) {
    // One table per part of the rows; few parts when the tables are large.
    constexpr std::uint64_t kTableBytes = std::uint64_t{256} << 20;
    const std::uint32_t groups = data.groups();
    const std::uint64_t affordable = kTableBytes / (8 * std::uint64_t{groups} + 1);
    const std::uint64_t parts = std::clamp<std::uint64_t>(affordable, 1, parallelism());
    const std::uint64_t grain = std::max<std::uint64_t>(1, (data.rows() + parts - 1) / parts);
    auto tables =
        parallel_map<std::vector<std::uint64_t>>(data.rows(), grain, [&](std::uint64_t begin, std::uint64_t end) {
            std::vector<std::uint64_t> counts(groups);
            data.visit([&](const auto& view) {
                for (std::uint64_t i = begin; i < end; ++i)
                    view.row(i).for_each_group([&](std::uint32_t group) { ++counts[group]; });
            });
            return counts;
        });
    if (tables.empty()) return std::vector<std::uint64_t>(groups);
    for (std::size_t part = 1; part < tables.size(); ++part) {
        for (std::uint32_t group = 0; group < groups; ++group) tables[0][group] += tables[part][group];
    }
    return std::move(tables[0]);
}

namespace {

Statistics describe_numbered(SparseView view, const StatisticsOptions& options) {
    constexpr std::uint64_t kPerColumn = 28; // its count, its inverted list, its place among the hottest
    require_memory(kPerColumn * view.columns, fmt::format("a table of {} columns", view.columns),
                   "renumber the features");
    Statistics statistics;
    statistics.rows = view.rows;
    statistics.columns = view.columns;
    statistics.nonzeros = view.nonzeros();
    describe_rows(view, statistics);
    const std::vector<std::uint64_t> counts = group_counts(view);
    describe_columns(counts, options.hottest, statistics);
    statistics.rho = collision_share(view, counts, options.rho_budget);
    return statistics;
}

} // namespace

Statistics describe(SparseView view, const StatisticsOptions& options) {
    if (view.nonzeros() >= view.columns) return describe_numbered(view, options);
    std::vector<std::uint32_t> numbers(view.indices, view.indices + view.nonzeros());
    const std::vector<std::uint32_t> columns = renumber(numbers);
    SparseView few = view;
    few.indices = numbers.data();
    few.columns = static_cast<std::uint32_t>(columns.size());
    Statistics statistics = describe_numbered(few, options);
    statistics.columns = view.columns;
    for (Popularity& hot : statistics.hottest) hot.column = columns[hot.column];
    return statistics;
}

} // namespace hogwild
