// Recht's rho by branch and bound.
//
// A sample meets at most sum(count(v) - 1 for v in e) + 1 samples. Samples are tried by falling bound, and the search
// ends when the best found reaches the bound of the next. One sample's number is counted in the cheaper of two ways.
// The first is the union of the inverted lists of its coordinates. The second looks for samples that it misses,
// shortest first, and gives up as soon as it misses more than the best does. The second way settles skewed data at
// once. Nearly every sample meets the hottest coordinate, and the few short ones that do not are tried first.
#include "engine/data/statistics.h"

#include "engine/machine/parallel.h"

#include <algorithm>
#include <numeric>

namespace hogwild {
namespace {

// Samples between updates of the best: 1, 2, 4, ... 1024, whatever the number of threads, so that it does not change
// results.
constexpr std::uint64_t kLargestBatch = 1024;
constexpr std::uint64_t kGrain = 16;

// Which rows hold a column.
struct InvertedLists {
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> rows;
};

InvertedLists invert(SparseView view, const std::vector<std::uint64_t>& counts) {
    InvertedLists lists;
    lists.offsets.resize(counts.size() + 1);
    std::partial_sum(counts.begin(), counts.end(), lists.offsets.begin() + 1);
    lists.rows.resize(view.nonzeros());
    std::vector<std::uint64_t> next(lists.offsets.begin(), lists.offsets.end() - 1);
    for (std::uint64_t i = 0; i < view.rows; ++i) {
        const SparseRow row = view.row(i);
        for (std::uint32_t k = 0; k < row.size; ++k) lists.rows[next[row.index[k]]++] = static_cast<std::uint32_t>(i);
    }
    return lists;
}

struct Answer {
    std::uint64_t met = 0; // 0: fewer than the best, or out of budget
    std::uint64_t cost = 0;
    bool settled = true;
};

class Search {
public:
    Search(SparseView view, const std::vector<std::uint64_t>& counts)
        : view_(view), lists_(invert(view, counts)), bounds_(view.rows) {
        for (std::uint64_t i = 0; i < view.rows; ++i) {
            const SparseRow row = view.row(i);
            std::uint64_t bound = row.size > 0 ? 1 : 0;
            for (std::uint32_t k = 0; k < row.size; ++k) bound += counts[row.index[k]] - 1;
            bounds_[i] = bound;
            if (row.size > 0) shortest_first_.push_back(static_cast<std::uint32_t>(i));
        }
        candidates_ = shortest_first_;
        std::stable_sort(shortest_first_.begin(), shortest_first_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return view.row(a).size < view.row(b).size; });
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return bounds_[a] > bounds_[b]; });
    }

    CollisionShare run(std::uint64_t budget) {
        std::uint64_t best = 0;
        std::uint64_t unsettled = 0; // the largest bound among samples that were given up
        std::uint64_t next = 0;
        for (std::uint64_t batch = 1; next < candidates_.size() && bound(next) > best;
             batch = std::min(2 * batch, kLargestBatch)) {
            const std::uint64_t count = std::min<std::uint64_t>(batch, candidates_.size() - next);
            const std::uint64_t share = budget / count; // each sample's, so that no order of threads matters
            const auto answers =
                parallel_map<std::vector<Answer>>(count, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
                    std::vector<Answer> part;
                    Marks marks(*this);
                    for (std::uint64_t i = begin; i < end; ++i)
                        part.push_back(meet(candidates_[next + i], best, share, marks));
                    return part;
                });
            std::uint64_t spent = 0;
            for (std::uint64_t i = 0; i < count; ++i) {
                const Answer& answer = answers[i / kGrain][i % kGrain];
                best = std::max(best, answer.met);
                spent += answer.cost;
                if (!answer.settled) unsettled = std::max(unsettled, bound(next + i));
            }
            next += count;
            budget -= std::min(budget, spent);
            if (budget < candidates_.size()) break;
        }
        if (next < candidates_.size()) unsettled = std::max(unsettled, bound(next));
        const auto rows = static_cast<double>(view_.rows);
        const std::uint64_t upper = std::max(best, unsettled);
        return {static_cast<double>(best) / rows, static_cast<double>(upper) / rows, upper == best};
    }

private:
    // Scratch of one thread: which columns, or which rows, belong to the sample at hand.
    struct Marks {
        explicit Marks(const Search& search) : columns(search.view_.columns), rows(search.view_.rows) {}
        std::vector<bool> columns;
        std::vector<bool> rows;
    };

    std::uint64_t bound(std::uint64_t position) const {
        return std::min<std::uint64_t>(bounds_[candidates_[position]], candidates_.size());
    }

    Answer meet(std::uint32_t sample, std::uint64_t best, std::uint64_t budget, Marks& marks) const {
        if (std::min<std::uint64_t>(bounds_[sample], candidates_.size()) <= best) return {};
        const std::uint64_t union_cost = 2 * (bounds_[sample] + view_.row(sample).size);
        Answer answer = miss(sample, best, std::min(budget, union_cost), marks);
        if (answer.settled || answer.cost + union_cost > budget) return answer;
        answer.met = unite(sample, marks);
        answer.cost += union_cost;
        answer.settled = true;
        return answer;
    }

    // Counts the samples that this one misses, and gives up at the budget or when they are too many to beat the best.
    Answer miss(std::uint32_t sample, std::uint64_t best, std::uint64_t budget, Marks& marks) const {
        const SparseRow row = view_.row(sample);
        for (std::uint32_t k = 0; k < row.size; ++k) marks.columns[row.index[k]] = true;
        const std::uint64_t affordable = candidates_.size() - best; // misses that rule the sample out
        Answer answer;
        answer.cost = 2 * std::uint64_t{row.size};
        std::uint64_t missed = 0;
        for (const std::uint32_t other : shortest_first_) {
            const SparseRow met = view_.row(other);
            std::uint32_t k = 0;
            while (k < met.size && !marks.columns[met.index[k]]) ++k;
            answer.cost += k + 1;
            missed += k == met.size ? 1 : 0;
            if (missed >= affordable) break;
            if (answer.cost > budget) {
                answer.settled = false;
                break;
            }
        }
        for (std::uint32_t k = 0; k < row.size; ++k) marks.columns[row.index[k]] = false;
        if (answer.settled && missed < affordable) answer.met = candidates_.size() - missed;
        return answer;
    }

    std::uint64_t unite(std::uint32_t sample, Marks& marks) const {
        const SparseRow row = view_.row(sample);
        std::uint64_t met = 0;
        auto each = [&](auto&& visit) {
            for (std::uint32_t k = 0; k < row.size; ++k) {
                for (std::uint64_t i = lists_.offsets[row.index[k]]; i < lists_.offsets[row.index[k] + 1]; ++i)
                    visit(lists_.rows[i]);
            }
        };
        each([&](std::uint32_t other) {
            met += marks.rows[other] ? 0 : 1;
            marks.rows[other] = true;
        });
        each([&](std::uint32_t other) { marks.rows[other] = false; });
        return met;
    }

    SparseView view_;
    InvertedLists lists_;
    std::vector<std::uint64_t> bounds_;
    std::vector<std::uint32_t> shortest_first_; // rows that are not empty
    std::vector<std::uint32_t> candidates_;     // the same by falling bound
};

} // namespace

CollisionShare collision_share(SparseView view, const std::vector<std::uint64_t>& counts, std::uint64_t budget) {
    if (view.rows == 0) return {0, 0, true};
    return Search(view, counts).run(budget);
}

} // namespace hogwild
