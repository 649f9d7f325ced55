// How many samples touch each group of coordinates, by as many entries as samples name groups or as there are groups.
//
// A group that no sample touches takes nothing where samples name fewer than there are. So ids with large gaps cost what
// occurs of them.
//
// Thread-safety: written by its constructor alone, which counts in parallel. Errors: none.
#pragma once

#include "kernels/views/any_view.h"

#include <cstdint>
#include <vector>

namespace hogwild {

class GroupCounts {
public:
    explicit GroupCounts(const AnyView& data);

    /// Of all groups, each below groups().
    std::uint64_t operator[](std::uint32_t group) const { return table_.empty() ? found(group) : table_[group]; }
    std::uint32_t groups() const { return groups_; }

    /// 0 without groups.
    std::uint64_t most() const;

    /// visit(group, count) for every group that some sample touches, rising.
    void for_each_touched(const auto& visit) const {
        for (const Few& each : few_) visit(each.group, each.count);
        for (std::uint32_t group = 0; group < table_.size(); ++group)
            if (table_[group] > 0) visit(group, table_[group]);
    }

    /// The counts that it holds: no more than there are groups, nor than samples name.
    std::uint64_t held() const { return table_.size() + few_.size(); }

private:
    struct Few {
        std::uint32_t group;
        std::uint64_t count;
    };

    std::uint64_t found(std::uint32_t group) const;

    std::uint32_t groups_;
    std::vector<std::uint64_t> table_; // of all groups, or empty
    std::vector<Few> few_;             // by rising group, where the table is empty
};

} // namespace hogwild
