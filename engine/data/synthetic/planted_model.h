// The model behind a synthetic dataset: word popularity, planted weights, and how one row is drawn from them.
//
// A row is a function of (recipe, row number) alone. Immutable after construction; any number of threads may draw rows.
#pragma once

#include "engine/data/synthetic/row_words.h"
#include "engine/data/synthetic/synthetic.h"
#include "engine/data/synthetic/zipf.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hogwild {

class PlantedModel {
public:
    explicit PlantedModel(const SyntheticRecipe& recipe);

    /// Nonzeros of a row, 1 to features.
    std::uint32_t length(std::uint64_t row) const;

    /// Writes `length` sorted indices and values; returns the label.
    float fill_row(std::uint64_t row, std::uint32_t length, RowWords& scratch, std::uint32_t* indices,
                   float* values) const;

    const std::vector<float>& weights() const { return weights_; } // by feature id

private:
    void draw_words(std::uint64_t row, std::uint32_t length, RowWords& words) const;
    float label(std::uint64_t row, double margin) const;

    SyntheticRecipe recipe_;
    Zipf popularity_;
    std::vector<std::uint32_t> ids_;   // feature id of a rank
    std::vector<float> rarity_;        // idf of a rank
    std::vector<float> weights_;       // of a feature id
    std::array<float, 64> repetition_; // 1 + log(times a word was drawn); beyond the end, the last
};

} // namespace hogwild
