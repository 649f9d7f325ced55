// A random order that is the same with every standard library, whose own shuffles differ.
//
// Thread-safe: a pure function of the values and the state of `random`.
#pragma once

#include <random>
#include <utility>
#include <vector>

namespace hogwild {

template <class T>
void put_in_random_order(std::vector<T>& values, std::mt19937_64& random) {
    for (std::size_t left = values.size(); left > 1; --left) std::swap(values[left - 1], values[random() % left]);
}

} // namespace hogwild
