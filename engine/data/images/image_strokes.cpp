#include "engine/data/images/image_strokes.h"

#include "engine/machine/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hogwild {
namespace {

constexpr std::uint32_t kUse = 32;     // of counters; see the uses of other generators
constexpr std::uint32_t kCurves = 3;   // of a path
constexpr std::uint32_t kSegments = 8; // of a curve

struct Point {
    double y = 0, x = 0;
};

using Path = std::array<Point, kCurves * kSegments + 1>;

/// Two numbers in [0, 1) for each point; `number` is the class's, or its style's.
Point drawn(std::uint32_t point, std::uint32_t number, bool of_style, PhiloxKey key) {
    const PhiloxCounter bits = philox({point, number, of_style ? 1u : 0u, kUse}, key);
    return {bits[0] * 0x1p-32, bits[1] * 0x1p-32};
}

/// Points of a class lie in the middle three fifths; a style moves each by up to a sixteenth.
Path path_of(std::uint32_t label, std::uint32_t style, PhiloxKey key) {
    std::array<Point, 2 * kCurves + 1> control;
    for (std::uint32_t i = 0; i < control.size(); ++i) {
        const Point of_class = drawn(i, label, false, key),
                    moved = drawn(i, label * ImageStrokes::kStyles + style, true, key);
        control[i].y = 0.2 + 0.6 * of_class.y + 0.125 * (moved.y - 0.5);
        control[i].x = 0.2 + 0.6 * of_class.x + 0.125 * (moved.x - 0.5);
    }
    Path path;
    for (std::uint32_t i = 0; i < path.size(); ++i) {
        const std::uint32_t curve = std::min(i / kSegments, kCurves - 1);
        const double t = (i - curve * kSegments) / static_cast<double>(kSegments);
        const Point &a = control[2 * curve], &b = control[2 * curve + 1], &c = control[2 * curve + 2];
        path[i].y = (1 - t) * (1 - t) * a.y + 2 * t * (1 - t) * b.y + t * t * c.y;
        path[i].x = (1 - t) * (1 - t) * a.x + 2 * t * (1 - t) * b.x + t * t * c.x;
    }
    return path;
}

double distance(const Point& place, const Point& a, const Point& b) {
    const double dy = b.y - a.y, dx = b.x - a.x, length = dy * dy + dx * dx;
    const double along = length > 0 ? ((place.y - a.y) * dy + (place.x - a.x) * dx) / length : 0;
    const double t = std::clamp(along, 0.0, 1.0);
    const double y = place.y - (a.y + t * dy), x = place.x - (a.x + t * dx);
    return std::sqrt(y * y + x * x);
}

} // namespace

ImageStrokes::ImageStrokes(std::uint32_t classes, PhiloxKey key)
    : grids_(std::size_t{classes} * kStyles * kSide * kSide) {
    parallel_for(std::uint64_t{classes} * kStyles, 1, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            const Path path = path_of(static_cast<std::uint32_t>(i / kStyles), i % kStyles, key);
            for (std::uint32_t k = 0; k < kSide * kSide; ++k) {
                const Point place{(k / kSide + 0.5) / kSide, (k % kSide + 0.5) / kSide};
                double nearest = 1;
                for (std::uint32_t s = 0; s + 1 < path.size(); ++s)
                    nearest = std::min(nearest, distance(place, path[s], path[s + 1]));
                grids_[i * kSide * kSide + k] = static_cast<float>(std::clamp(2 - 2 * nearest / kReach, 0.0, 1.0));
            }
        }
    });
}

double ImageStrokes::brightness(std::uint32_t label, std::uint32_t style, double y, double x) const {
    const double row = y * kSide - 0.5, column = x * kSide - 0.5;
    if (!(row >= 0 && column >= 0 && row < kSide - 1 && column < kSide - 1)) return 0;
    const auto top = static_cast<std::uint32_t>(row), left = static_cast<std::uint32_t>(column);
    const float* const at = &grids_[((std::size_t{label} * kStyles + style) * kSide + top) * kSide + left];
    const double down = row - top, right = column - left;
    const double upper = (1 - right) * static_cast<double>(at[0]) + right * static_cast<double>(at[1]);
    const double lower = (1 - right) * static_cast<double>(at[kSide]) + right * static_cast<double>(at[kSide + 1]);
    return (1 - down) * upper + down * lower;
}

} // namespace hogwild
