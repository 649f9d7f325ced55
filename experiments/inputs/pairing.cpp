#include "experiments/inputs/pairing.h"

#include "engine/numbers.h"

#include <fmt/format.h>

#include <algorithm>

namespace hogwild {
namespace {

constexpr double kMostForeign = 0.5; // of the test set's nonzeros, in columns that the training set lacks
constexpr double kLeastShared = 0.2; // of the training set's nonzeros, in columns that the test set has

/// Up to the last that is used, as the file numbers them.
std::uint64_t columns(const GroupCounts& counts, const FileColumns& of_file) {
    std::uint64_t last = 0;
    counts.for_each_touched([&](std::uint32_t column, std::uint64_t) {
        last = std::uint64_t{of_file.numbers.empty() ? column : of_file.numbers[column]} + 1;
    });
    return last;
}

/// The share of one set's nonzeros in columns that the other set uses; 1 when there are none.
double shared(const GroupCounts& counts, const GroupCounts& others) {
    double all = 0, common = 0;
    counts.for_each_touched([&](std::uint32_t column, std::uint64_t count) {
        all += static_cast<double>(count);
        if (others[column] > 0) common += static_cast<double>(count);
    });
    return all > 0 ? common / all : 1;
}

} // namespace

Pairing compare(const GroupCounts& train, const GroupCounts& test, const FileColumns& of_file) {
    const std::uint64_t trained = columns(train, of_file), tested = columns(test, of_file);
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

Pairing compare(const Dataset& train, const Dataset& test, const FileColumns& of_file) {
    constexpr std::uint64_t kMostCounts = std::uint64_t{1} << 26; // half a gigabyte for each set
    const auto counts = [](const AnyView& data) {
        return std::min<std::uint64_t>(data.coordinates(), data.nonzeros());
    };
    if (std::max(counts(train.view()), counts(test.view())) > kMostCounts) return {};
    if (train.view().coordinates() != test.view().coordinates()) return {};
    return compare(GroupCounts(train.view()), GroupCounts(test.view()), of_file);
}

} // namespace hogwild
