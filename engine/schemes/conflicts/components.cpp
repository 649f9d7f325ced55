#include "engine/schemes/conflicts/components.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace hogwild {

ComponentFinder::ComponentFinder(std::string_view order, const AnyView& data, std::uint64_t seed, std::uint32_t most)
    : data_(data), seed_(seed), cursor_(order, data, seed), last_(data.groups()) {
    for (std::vector<std::uint32_t>* each : {&samples_, &parents_, &owners_, &roots_}) each->reserve(most);
    costs_.reserve(most);
}

void ComponentFinder::find(std::uint32_t epoch, std::uint32_t first, std::uint32_t count, BatchShares& shares) {
    samples_.resize(count);
    fill(cursor_, epoch, first, count, samples_.data());
    parents_.resize(count);
    std::iota(parents_.begin(), parents_.end(), 0u);
    owners_.assign(count, 0);
    if (shares.workers() > 1) {
        join_all(epoch);
        pack(shares.workers());
    }
    std::vector<std::uint32_t>& begins = shares.begins_;
    std::ranges::fill(begins, 0u);
    for (std::uint32_t i = 0; i < count; ++i) {
        owners_[i] = owners_[component(i)]; // a root's is its own
        ++begins[owners_[i] + 1];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t& next = begins[owners_[i]];
        shares.positions_[next] = first + i;
        shares.samples_[next++] = samples_[i];
    }
    std::shift_right(begins.begin(), begins.end(), 1); // each has come to where the next one began
    begins[0] = 0;
}

std::uint32_t ComponentFinder::component(std::uint32_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
}

void ComponentFinder::join_all(std::uint32_t epoch) {
    const auto count = static_cast<std::uint32_t>(samples_.size());
    if (before_ > std::numeric_limits<std::uint32_t>::max() - 1 - count) {
        std::ranges::fill(last_, 0u);
        before_ = 0;
    }
    costs_.resize(count);
    data_.visit([&](const auto& view) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t mark = before_ + 1 + i;
            std::uint32_t root = i, cost = 0, joined = mark; // the mark of whom it was joined to last
            view.drawn(samples_[i], seed_, epoch).for_each_group([&](std::uint32_t group) {
                ++cost;
                const std::uint32_t other = std::exchange(last_[group], mark);
                if (other <= before_ || other == joined) return;
                joined = other;
                const std::uint32_t met = component(other - before_ - 1), later = std::max(root, met);
                root = std::min(root, met);
                parents_[later] = root;
            });
            costs_[i] = cost;
        }
    });
    before_ += count;
}

void ComponentFinder::pack(std::uint32_t workers) {
    roots_.clear();
    for (std::uint32_t i = 0; i < samples_.size(); ++i) {
        const std::uint32_t root = component(i);
        if (root == i)
            roots_.push_back(i);
        else
            costs_[root] += costs_[i]; // the root came before
    }
    std::ranges::stable_sort(roots_, std::greater(), [&](std::uint32_t root) { return costs_[root]; });
    loads_.clear(); // a heap, the least one first
    for (std::uint32_t worker = 0; worker < workers; ++worker) loads_.emplace_back(0, worker);
    for (const std::uint32_t root : roots_) {
        std::ranges::pop_heap(loads_, std::greater());
        auto& [load, worker] = loads_.back();
        owners_[root] = worker;
        load += costs_[root];
        std::ranges::push_heap(loads_, std::greater());
    }
}

} // namespace hogwild
