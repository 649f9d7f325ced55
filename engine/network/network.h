// Makes a network's shape of its text. That is layers in order, each ended by a semicolon or by its line, or a name
// that stands for such a text.
//
//   dense UNITS [ACTIVATION]                           conv FILTERS SIDE [stride N] [pad N] [ACTIVATION]
//   maxpool SIDE [stride N]    meanpool SIDE [stride N]        dropout RATE          batchnorm [ACTIVATION]
//
// Activations: relu, tanh, sigmoid; none where nothing is said. Pooling's stride is its side unless said. The last layer is dense,
// has as many units as there are classes, and no activation. Names:
//
//   mlp-784-128-10    images of 784 entries, relu layers of 128 units, 10 scores: any numbers
//   fcn-r             784-2048-4096-1024-10 with logistic units (Ma and Rusu 2020)
//   lenet             conv 6 5 relu; maxpool 2; conv 16 5 relu; maxpool 2; dense 120 relu; dense 84 relu; dense CLASSES
//                     (after LeCun, Bottou, Bengio, Haffner 1998)
//   cnn-32-64         conv 32 3 pad 1 relu; maxpool 2; conv 64 3 pad 1 relu; maxpool 2; dense 128 relu; dense CLASSES
//
// Thread-safety: pure functions, but for network_of, which locks. Errors: throws Error (Failure::kUsage) that names the layer, what is wrong with it and what fits.
#pragma once

#include "kernels/network/network.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hogwild {

/// A name and the text that it stands for, in which "{classes}" is their number.
struct NamedNetwork {
    std::string_view name, layers;
    std::uint32_t inputs = 0; // entries of an image; 0: any number
};

/// All names but mlp- and its sizes.
std::span<const NamedNetwork> named_networks();

/// The text on a line, with a space between words and "; " between layers. What lines of a file say comes to the same
/// as a line.
std::string one_line(std::string_view text);

/// On a line, too, but layers of a name as that name: what tables and figures call it.
std::string short_text(std::string_view text);

/// Whether the text is a name or layers at all, whatever the images are.
void check_network(std::string_view text);

/// Whether a layer of the text is batchnorm.
bool normalises(std::string_view text);

/// The network of that text, for images of this shape and so many classes. The same text has the same one each time, which stays as long
/// as the program: whoever asks may keep its address. Any number of threads may ask at once.
const NetworkShape& network_of(std::string_view text, const MapShape& images, std::uint32_t classes);

/// A layer, the first being number 1: "layer 3, conv 5x5 relu 8x8x16".
std::string describe_layer(const NetworkShape& network, std::uint32_t layer);

/// A line about it: "28x28x1 > conv 6 5x5 relu 24x24x6 > ..., 44,426 weights".
std::string describe(const NetworkShape& network);

} // namespace hogwild
