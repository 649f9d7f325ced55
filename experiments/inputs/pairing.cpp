#include "experiments/inputs/pairing.h"

#include "engine/data/statistics.h"
#include "engine/numbers.h"

#include <fmt/format.h>

#include <algorithm>

namespace hogwild {
namespace {

constexpr double kMostForeign = 0.5; // of the test set's nonzeros, in columns that the training set lacks
constexpr double kLeastShared = 0.2; // of the training set's nonzeros, in columns that the test set has

/// Up to the last that is used.
std::uint64_t columns(const std::vector<std::uint64_t>& counts) {
    const auto last = std::find_if(counts.rbegin(), counts.rend(), [](std::uint64_t count) { return count > 0; });
    return static_cast<std::uint64_t>(counts.rend() - last);
}

/// The share of one set's nonzeros in columns that the other set uses; 1 when there are none.
double shared(const std::vector<std::uint64_t>& counts, const std::vector<std::uint64_t>& others) {
    double all = 0, common = 0;
    for (std::size_t column = 0; column < counts.size(); ++column) {
        all += static_cast<double>(counts[column]);
        if (others[column] > 0) common += static_cast<double>(counts[column]);
    }
    return all > 0 ? common / all : 1;
}

} // namespace

Pairing compare(const std::vector<std::uint64_t>& train, const std::vector<std::uint64_t>& test) {
    const std::uint64_t trained = columns(train), tested = columns(test);
    const double foreign = 1 - shared(test, train), used = shared(train, test);
    Pairing pairing;
    pairing.grave = foreign > kMostForeign || used < kLeastShared;
    if (tested > trained) {
        pairing.text =
            fmt::format("columns of the test set go up to {}, of the training set up to {} (nothing trains the others' "
                        "weights); {} % of the test set's nonzeros lie in columns that the training set lacks",
                        grouped(tested), grouped(trained), human(100 * foreign));
    } else if (foreign > kMostForeign) {
        pairing.text = fmt::format(
            "{} % of the test set's nonzeros lie in columns that the training set lacks (nothing trains their weights)",
            human(100 * foreign));
    } else if (pairing.grave) {
        pairing.text = fmt::format(
            "only {} % of the training set's nonzeros lie in columns that the test set has (the others are not tested)",
            human(100 * used));
    }
    if (pairing.grave) pairing.text += "; is it the right file for --test?";
    return pairing;
}

Pairing compare(const Dataset& train, const Dataset& test) {
    constexpr std::uint32_t kMostColumns = std::uint32_t{1} << 26; // half a gigabyte of counts for each set
    if (train.view().coordinates() > kMostColumns || train.view().coordinates() != test.view().coordinates()) return {};
    return compare(group_counts(train.view()), group_counts(test.view()));
}

} // namespace hogwild
