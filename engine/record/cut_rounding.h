// From a relaxed cut to a cut: the best of a fixed set of roundings.
//
// Two classes: a node is of class 0 where its number exceeds a threshold. All of (k + 1/2) / 256, k < 256, are tried in
// one pass over the edges. For the optimum of the relaxation every threshold gives a minimum cut.
// More classes: each node's largest number is tried. Then, in the rising order of classes, a class takes whatever
// reaches 1/3, or 2/3, and the last class takes what no other took. (Calinescu, Karloff and Rabani draw such thresholds
// at random.) Ties go to the lower class, and to what is tried first.
//
// Rows a little outside the simplex round as they are. Values are sums in double over blocks of fixed size: the same bits at
// any number of threads, and exact for whole weights. Thread-safety: pure functions, parallel inside.
// Source: Recht et al. 2011, section 2; Calinescu, Karloff, Rabani, STOC 1998.
#pragma once

#include "kernels/views/edges_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hogwild {

struct RoundedCut {
    double value = 0;                   // weight of the edges cut, with the view's constant
    std::vector<std::uint16_t> classes; // of the free nodes
};

RoundedCut round_cut(const EdgesView& data, const float* weights);

/// Weight of the edges that these classes of the free nodes cut, with the view's constant.
double cut_value(const EdgesView& data, std::span<const std::uint16_t> classes);

/// The share of the nodes whose class is known that have it; not a number when there is none.
double cut_accuracy(const EdgesView& data, std::span<const std::uint16_t> classes);

} // namespace hogwild
