#include "engine/data/group_counts.h"

#include "engine/data/statistics.h"

#include <algorithm>
#include <optional>

namespace hogwild {
namespace {

/// The groups that samples name, rising, as often as they name each; nothing where these are as many as there are groups.
std::optional<std::vector<std::uint32_t>> few_named(const AnyView& data) {
    const std::uint32_t groups = data.groups();
    return data.visit([&](const auto& view) -> std::optional<std::vector<std::uint32_t>> {
        std::vector<std::uint32_t> named;
        for (std::uint64_t i = 0; i < view.rows; ++i) {
            view.row(i).for_each_group([&](std::uint32_t group) { named.push_back(group); });
            if (named.size() >= groups) return std::nullopt;
        }
        std::ranges::sort(named);
        return named;
    });
}

} // namespace

GroupCounts::GroupCounts(const AnyView& data) : groups_(data.groups()) {
    const auto named = few_named(data);
    if (!named) {
        table_ = group_counts(data);
        return;
    }
    for (const std::uint32_t group : *named) {
        if (few_.empty() || few_.back().group != group) few_.push_back({group, 0});
        ++few_.back().count;
    }
}

std::uint64_t GroupCounts::most() const {
    std::uint64_t most = 0;
    for_each_touched([&](std::uint32_t, std::uint64_t count) { most = std::max(most, count); });
    return most;
}

std::uint64_t GroupCounts::found(std::uint32_t group) const {
    const auto at = std::ranges::lower_bound(few_, group, {}, &Few::group);
    return at != few_.end() && at->group == group ? at->count : 0;
}

} // namespace hogwild
