// The forms of a function for the instruction sets of this machine. For tests.
#pragma once

#include "kernels/lanes/dispatch.h"

#include <cstring>
#include <vector>

namespace hogwild {

/// The scalar form first, then those that this machine runs. `On` is an OnLanes.
template <class On>
std::vector<decltype(&On::scalar)> available() {
    std::vector<decltype(&On::scalar)> forms{On::scalar};
    if (best_instruction_set() >= InstructionSet::kAvx2) forms.push_back(On::avx2);
    if (best_instruction_set() >= InstructionSet::kAvx512) forms.push_back(On::avx512);
    return forms;
}

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

} // namespace hogwild
