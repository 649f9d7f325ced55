#include "engine/schemes/components.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace hogwild {

ComponentFinder::ComponentFinder(std::string_view order, const AnyView& data, std::uint64_t seed, std::uint32_t most)
    : data_(data), seed_(seed), cursor_(order, data, seed), last_(data.groups()) {
    for (std::vector<std::uint32_t>* each : {&samples_, &parents_, &costs_, &owners_, &roots_}) each->reserve(most);
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

/// The earlier sample becomes the root.
void ComponentFinder::join(std::uint32_t i, std::uint32_t j) {
    i = component(i);
    j = component(j);
    parents_[std::max(i, j)] = std::min(i, j);
}

void ComponentFinder::join_all(std::uint32_t epoch) {
    const auto count = static_cast<std::uint32_t>(samples_.size());
    if (before_ > std::numeric_limits<std::uint32_t>::max() - 1 - count) {
        std::ranges::fill(last_, 0u);
        before_ = 0;
    }
    costs_.assign(count, 0);
    data_.visit([&](const auto& view) {
        for (std::uint32_t i = 0; i < count; ++i) {
            view.drawn(samples_[i], seed_, epoch).for_each_group([&](std::uint32_t group) {
                ++costs_[i];
                if (last_[group] > before_) join(last_[group] - before_ - 1, i);
                last_[group] = before_ + 1 + i;
            });
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
