#include "experiments/compare/compare_groups.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"
#include "experiments/folder/result.h"
#include "experiments/folder/unseen_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace hogwild {
namespace {

using Cells = std::vector<std::string>;

std::uint64_t seed_of(const SummaryRow& row) {
    const auto seed = parse_count(row.text("seed"));
    if (seed) return *seed;
    throw Error(Failure::kUsage, fmt::format("{}: seed '{}' is not a whole number", row.place, row.text("seed")),
                "runs are paired by their seeds", "restore the file as the program wrote it");
}

/// Whether it may differ between two folders.
bool is_free(std::string_view column) {
    const Axis* const row = find_axis(column);
    const std::vector<std::string_view>& unseen = unseen_columns();
    return (row != nullptr && row->tuning == Axis::Tuning::kFine) || std::ranges::find(unseen, column) != unseen.end();
}

std::vector<std::string_view> names_of(const std::vector<Column>& columns) {
    std::vector<std::string_view> names;
    for (const Column& column : columns) names.push_back(column.name);
    return names;
}

/// By scheme, then by the other columns in their order.
bool comes_before(const Configuration& first, const Configuration& second) {
    if (first.asked("scheme") != second.asked("scheme")) return first.asked("scheme") < second.asked("scheme");
    for (const std::string_view column : identity_columns()) {
        const std::string &a = first.asked(column), &b = second.asked(column);
        if (a == b) continue;
        const auto number_a = parse_real(a), number_b = parse_real(b);
        return number_a && number_b && *number_a != *number_b ? *number_a < *number_b : a < b;
    }
    return false;
}

/// Adds the free columns in which configurations of one folder that agree in all else differ.
void add_varied(const std::vector<Configuration>& folder, const std::vector<std::string_view>& bound,
                std::set<std::string_view>& varied) {
    std::map<Cells, const Configuration*> firsts;
    for (const Configuration& configuration : folder) {
        const auto [at, fresh] = firsts.emplace(cells_of(configuration, bound), &configuration);
        for (const std::string_view column : identity_columns()) {
            if (!fresh && is_free(column) && at->second->asked(column) != configuration.asked(column))
                varied.insert(column);
        }
    }
}

/// Where the two configurations that differ least do so.
std::string nearest_difference(const std::vector<Configuration>& a, const std::vector<Configuration>& b,
                               const std::vector<std::string_view>& columns) {
    Cells fewest;
    for (const Configuration& of_a : a) {
        for (const Configuration& of_b : b) {
            Cells differences;
            for (const std::string_view column : columns) {
                const std::string &in_a = of_a.asked(column), &in_b = of_b.asked(column);
                if (in_a != in_b) {
                    differences.push_back(fmt::format("{} ({} and {})", column, in_a.empty() ? "none" : in_a,
                                                      in_b.empty() ? "none" : in_b));
                }
            }
            if (fewest.empty() || differences.size() < fewest.size()) fewest = std::move(differences);
        }
    }
    return fmt::format("{}", fmt::join(fewest, ", "));
}

} // namespace

const std::vector<std::string_view>& asked_columns() {
    static const Plan kAny;
    static const std::vector<std::string_view> kColumns = [] {
        std::vector<std::string_view> columns = names_of(axis_columns(kAny, {}));
        for (const std::string_view part : kPartsOfMemory) std::erase(columns, part); // `memory` says them
        return columns;
    }();
    return kColumns;
}

const std::vector<std::string_view>& identity_columns() {
    static const std::vector<std::string_view> kColumns = [] {
        std::vector<std::string_view> columns = asked_columns();
        std::ranges::copy(unseen_columns(), std::back_inserter(columns));
        return columns;
    }();
    return kColumns;
}

std::vector<std::string_view> objective_columns() {
    std::vector<std::string_view> columns{"data"};
    for (const Axis* row : axes()) {
        if (row->role == Axis::Role::kObjective) columns.push_back(row->name);
    }
    std::ranges::copy(known_names("parameter"), std::back_inserter(columns));
    return columns;
}

std::vector<Configuration> configurations(const Summary& summary) {
    std::vector<Configuration> found;
    std::map<Cells, std::size_t> position;
    for (const SummaryRow& row : summary.rows) {
        const std::uint64_t seed = seed_of(row);
        Configuration alone{{{seed, &row}}};
        const auto [at, fresh] = position.emplace(cells_of(alone, identity_columns()), found.size());
        if (fresh) {
            found.push_back(std::move(alone));
            continue;
        }
        const auto [run, first] = found[at->second].runs.emplace(seed, &row);
        if (!first) {
            throw Error(
                Failure::kUsage, fmt::format("{}: a second run of seed {}", row.place, seed),
                fmt::format("{} is the same configuration, and runs are paired by their seeds", run->second->place),
                "keep one of the two rows");
        }
    }
    std::ranges::stable_sort(found, comes_before);
    return found;
}

Matches match(const std::vector<Configuration>& a, const std::vector<Configuration>& b) {
    std::vector<std::string_view> columns;
    std::ranges::copy_if(asked_columns(), std::back_inserter(columns), [](auto column) { return !is_free(column); });
    std::set<std::string_view> varied;
    const std::vector<std::string_view> bound = columns;
    add_varied(a, bound, varied);
    add_varied(b, bound, varied);
    columns.insert(columns.end(), varied.begin(), varied.end());

    std::map<Cells, const Configuration*> of_a;
    for (const Configuration& configuration : a) of_a.emplace(cells_of(configuration, columns), &configuration);
    Matches matches;
    for (const Configuration& configuration : b) {
        const auto at = of_a.find(cells_of(configuration, columns));
        if (at == of_a.end()) {
            matches.only_b.push_back(&configuration);
        } else {
            matches.both.push_back({at->second, &configuration});
            of_a.erase(at);
        }
    }
    for (const Configuration& configuration : a) {
        const auto left = of_a.find(cells_of(configuration, columns));
        if (left != of_a.end() && left->second == &configuration) matches.only_a.push_back(&configuration);
    }
    if (matches.both.empty()) matches.nearest = nearest_difference(a, b, columns);
    return matches;
}

} // namespace hogwild
