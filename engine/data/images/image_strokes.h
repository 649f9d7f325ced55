// Signs that a hand could have written: what generated images of a class have in common.
//
// A class is a path of three curves (quadratic Bezier) on the unit square, each beginning where the one before ends. A style of the
// class has its points a little elsewhere. Points come from the seed. A place's brightness is 1 next to the path, falls to 0 within
// kReach of it, and is exactly 0 beyond.
// Built from IEEE additions, multiplications, divisions and square roots: the same bits on every machine.
// Thread-safety: immutable once made.
#pragma once

#include "kernels/numbers/random.h"

#include <cstdint>
#include <vector>

namespace hogwild {

class ImageStrokes {
public:
    static constexpr std::uint32_t kStyles = 4;

    ImageStrokes(std::uint32_t classes, PhiloxKey key);

    /// 0 to 1, at a place of the unit square; 0 outside. Between points of a grid of kSide x kSide linear in both directions.
    double brightness(std::uint32_t label, std::uint32_t style, double y, double x) const;

private:
    static constexpr std::uint32_t kSide = 64;
    static constexpr double kReach = 0.06;

    std::vector<float> grids_; // one for each style of each class
};

} // namespace hogwild
