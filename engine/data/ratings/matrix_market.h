// The head of a Matrix Market file: what kind of matrix, and how large.
// Source: Boisvert, Pozo, Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996.
#pragma once

#include "kernels/views/ratings_view.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct MatrixHead {
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t entries = 0;
    std::uint64_t lines = 0; // of the head
    std::size_t bytes = 0;   // of the head
};

/// Whether it begins with `%%MatrixMarket`, in letters of either case.
bool is_matrix_market(std::string_view text);

/// The head of texts of whole lines, which follow one another, the first of them is_matrix_market. Throws Error for what is no
/// general coordinate matrix of numbers, or has no size line here.
MatrixHead matrix_head(const std::vector<std::string_view>& texts, const std::string& name);

/// A note on ratings whose first one looks like a size line without a banner; empty for others. Such a rating is by the last user,
/// of the last item, and its value is how many follow.
std::string size_line_note(std::span<const Rating> ratings);

} // namespace hogwild
