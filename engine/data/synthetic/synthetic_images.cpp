#include "engine/data/synthetic/synthetic_images.h"

#include "engine/data/images/image_strokes.h"
#include "engine/data/synthetic/item_counter.h"
#include "engine/data/text/memory_limit.h"
#include "engine/error.h"
#include "engine/machine/parallel.h"
#include "kernels/numbers/permutation.h"
#include "kernels/numbers/random.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kGrain = 256; // images of a task

// What a counter's random bits are for; no two uses share a counter. 32 is of image_strokes.cpp.
enum class Use : std::uint32_t { kImage = 33, kColour = 34, kNoise = 35 };

void check_memory(const ImagesRecipe& recipe, std::uint64_t rows) {
    const double image = static_cast<double>(recipe.height) * recipe.width * recipe.channels;
    const double bytes = static_cast<double>(rows) * (image + 1);
    const auto limit = static_cast<double>(default_array_limit());
    if (bytes <= limit) return;
    throw Error(Failure::kUsage, fmt::format("images of {:.1f} GiB do not fit", bytes / 0x1p30),
                fmt::format("{:.1f} GiB of memory may be used", limit / 0x1p30), "lower rows, height or width");
}

/// -1 to 1.
double centred(std::uint32_t bits) { return bits * 0x1p-31 - 1; }

/// From where an image's sign is seen: which place of the sign a place of the image shows.
struct Sight {
    double scale_y, scale_x, shear_y, shear_x, shift_y, shift_x;

    Sight(const PhiloxCounter& a, const PhiloxCounter& b)
        : scale_y(1 + 0.2 * centred(a[0])),
          scale_x(1 + 0.2 * centred(a[1])),
          shear_y(0.2 * centred(a[2])),
          shear_x(0.2 * centred(a[3])),
          shift_y(centred(b[0]) / 10),
          shift_x(centred(b[1]) / 10) {}

    double y_of(double y, double x) const {
        return 0.5 + scale_y * (y - 0.5 - shift_y) + shear_y * (x - 0.5 - shift_x);
    }
    double x_of(double y, double x) const {
        return 0.5 + scale_x * (x - 0.5 - shift_x) + shear_x * (y - 0.5 - shift_y);
    }
};

class Painter {
public:
    explicit Painter(const ImagesRecipe& recipe)
        : recipe_(recipe), key_(philox_key(recipe.seed)), strokes_(recipe.classes, key_) {}

    /// Paints image i and returns its class.
    std::uint8_t paint(std::uint64_t i, std::uint8_t* pixels) const {
        const std::uint32_t style = bits(i, Use::kImage, 0)[0] % ImageStrokes::kStyles;
        const std::uint32_t label = label_of(i);
        const Sight sight(bits(i, Use::kImage, 1), bits(i, Use::kImage, 2));
        std::array<double, 16> colour{};
        for (std::uint32_t c = 0; c < recipe_.channels; ++c)
            colour[c] = 0.85 + 0.15 * centred(bits(i, Use::kColour, c / 4)[c % 4]);
        std::uint32_t entry = 0;
        PhiloxCounter noise{};
        for (std::uint32_t row = 0; row < recipe_.height; ++row) {
            for (std::uint32_t column = 0; column < recipe_.width; ++column) {
                const double y = (row + 0.5) / recipe_.height, x = (column + 0.5) / recipe_.width;
                const double lit = strokes_.brightness(label, style, sight.y_of(y, x), sight.x_of(y, x));
                for (std::uint32_t c = 0; c < recipe_.channels; ++c, ++entry) {
                    if (entry % 4 == 0) noise = bits(i, Use::kNoise, entry / 4);
                    pixels[entry] = byte_of(lit * colour[c], noise[entry % 4]);
                }
            }
        }
        return static_cast<std::uint8_t>(label);
    }

private:
    /// Among as many neighbours as there are classes each has another.
    std::uint32_t label_of(std::uint64_t i) const {
        const auto block = static_cast<std::uint32_t>(i / recipe_.classes);
        const Permutation order(recipe_.classes, recipe_.seed, block | (recipe_.held_out ? 1u << 31 : 0));
        return order(static_cast<std::uint32_t>(i % recipe_.classes));
    }

    PhiloxCounter bits(std::uint64_t i, Use use, std::uint32_t block) const {
        return philox(counter_of(i, recipe_.held_out, use, block), key_);
    }

    std::uint8_t byte_of(double lit, std::uint32_t bits) const {
        const double off = centred(bits << 16); // by the low half
        if (lit == 0) {
            const bool speck = (bits >> 16) * 0x1p-16 < recipe_.noise / 10;
            if (!speck) return 0;
            lit = 0.5;
        }
        const double seen = std::clamp(lit + recipe_.noise * off, 0.0, 1.0);
        return static_cast<std::uint8_t>(seen * 255 + 0.5);
    }

    ImagesRecipe recipe_;
    PhiloxKey key_;
    ImageStrokes strokes_;
};

} // namespace

std::shared_ptr<ImagesArrays> generate(const ImagesRecipe& recipe) {
    const std::uint64_t rows = recipe.held_out ? (recipe.rows - 1) / 10 + 1 : recipe.rows;
    check_memory(recipe, rows);
    const Painter painter(recipe);
    const MapShape shape{recipe.height, recipe.width, recipe.channels};
    auto arrays = std::make_shared<ImagesArrays>(rows, shape, recipe.classes);
    parallel_for(rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i)
            arrays->labels[i] = painter.paint(i, arrays->pixels.data() + i * shape.size());
    });
    return arrays;
}

} // namespace hogwild
