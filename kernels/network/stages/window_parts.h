// A window's lines, `lines` x `vectors`, in parts whose sums registers hold.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hogwild {

/// Run: vectors of a window's line (kernels/network/stages/vectors.h).
template <class Run>
class WindowParts {
public:
    /// visit.operator()<kLines, kVectors>(line, vector) for all parts, of lines [begin, end).
    template <class Visit>
    static void for_each(std::uint32_t begin, std::uint32_t end, std::uint32_t vectors, const Visit& visit) {
        for (std::uint32_t v = 0; v < vectors;) {
            const std::uint32_t left = vectors - v;
            if (left >= 6) {
                over_lines<6>(begin, end, v, visit);
                v += 6;
            } else if (left >= 3) {
                over_lines<3>(begin, end, v, visit);
                v += 3;
            } else if (left == 2) {
                over_lines<2>(begin, end, v, visit);
                v += 2;
            } else {
                over_lines<1>(begin, end, v, visit);
                v += 1;
            }
        }
    }

private:
    template <int kVectors, class Visit>
    static void over_lines(std::uint32_t begin, std::uint32_t end, std::uint32_t v, const Visit& visit) {
        constexpr std::uint32_t kMost = std::min<std::uint32_t>(5, Run::kSums / kVectors);
        for (std::uint32_t y = begin; y < end;) {
            const std::uint32_t left = end - y;
            if (kMost >= 5 && left >= 5) {
                visit.template operator()<kMost >= 5 ? 5 : 1, kVectors>(y, v);
                y += 5;
            } else if (kMost >= 3 && left >= 3) {
                visit.template operator()<kMost >= 3 ? 3 : 1, kVectors>(y, v);
                y += 3;
            } else if (kMost >= 2 && left >= 2) {
                visit.template operator()<kMost >= 2 ? 2 : 1, kVectors>(y, v);
                y += 2;
            } else {
                visit.template operator()<1, kVectors>(y, v);
                y += 1;
            }
        }
    }
};

} // namespace hogwild
