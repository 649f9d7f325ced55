// The samples in every placement of the coordinates that some run wants (engine/data/sparse/placement.h): renumbered once, used by
// all.
//
// Ratings that were given away are held once, in tiles, where every run wants tiles (permuted order, on CPU threads).
// Where some run wants them as they were (stored, drawn, on a GPU), both are held.
//
// Thread-safety: immutable once made. Errors: Error where both do not fit.
#pragma once

#include "engine/data/dataset.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// Training and test samples of one placement; `shuffled`: the training samples shuffled, where runs go by blocks and the training
/// samples are not.
struct PlacedSamples {
    Dataset train;
    std::optional<Dataset> test;
    std::optional<Dataset> shuffled;
};

class Placements {
public:
    Placements(Dataset train, std::optional<Dataset> test, const std::vector<Plan>& plans);

    /// The samples as they are numbered in their file; ratings in tiles, where they are held so alone.
    const Dataset& train() const { return train_; }
    const Dataset* test() const { return test_ ? &*test_ : nullptr; }

    /// Plans of one key step on the same samples.
    using Key = std::pair<std::string, std::uint32_t>;
    static Key key(const Plan& plan);

    const PlacedSamples& of(const Plan& plan) const;

private:
    Dataset train_;
    std::optional<Dataset> test_;
    std::map<Key, PlacedSamples> placed_;
};

} // namespace hogwild
