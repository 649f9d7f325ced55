// How many multiplications and additions per second do sums of rows of weights reach (kernels/lanes/dense.h), in the shapes that
// networks have?
//
// A row is one part of a step: `forward` (rows are weights), `gradient` of the weights (rows are what comes back,
// factors activations), or `backward`. In `backward` rows are weights, transposed where they lie. For convolutions it
// is one image, line by line. The rate counts a fused multiply-add as two. The ceiling is a loop of multiply-adds on
// registers alone.
//
// A rival takes the matrix product of the same size. What it would need around it for a convolution (a copy of every
// window) is left out.
#include "experiments/bench/fma_ceiling.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/stopwatch.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/numbers/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

struct SumsBody {
    template <class Lanes>
    static void run(const DenseSums& sums) {
        Lanes::Dense::sums(sums);
    }
};

struct ListedBody {
    template <class Lanes>
    static void run(const ListedSum& sum) {
        Lanes::Dense::listed(sum);
    }
};

using Sums = OnLanes<SumsBody, const DenseSums&>;
using Listed = OnLanes<ListedBody, const ListedSum&>;

std::vector<float> numbers(std::size_t count) {
    std::vector<float> all(count);
    for (std::size_t i = 0; i < count; ++i)
        all[i] = unit_float(philox({static_cast<std::uint32_t>(i), 0, 0, 0}, {1, 1})[0]) - 0.5f;
    return all;
}

/// Calls that make one part of a step together, and their memory.
struct Part {
    std::string name;
    std::string product; // of a rival: OUTS x COLUMNS x TERMS and what is transposed
    std::vector<float> out, initial, factors, rows;
    std::vector<DenseSums> calls;

    double operations() const {
        double sum = 0;
        for (const DenseSums& each : calls) sum += 2.0 * each.outs * each.columns * each.terms;
        return sum;
    }
};

std::shared_ptr<Part> part_of(std::string name, std::string product, std::size_t out, std::size_t factors,
                              std::size_t rows) {
    return std::make_shared<Part>(
        Part{std::move(name), std::move(product), numbers(out), numbers(4096), numbers(factors), numbers(rows), {}});
}

constexpr std::string_view kPlain = "plain", kFactors = "factors", kRows = "rows"; // what is transposed

std::string product_of(std::uint32_t outs, std::uint32_t columns, std::uint32_t terms, std::string_view transposed) {
    return fmt::format("{}x{}x{}:{}", outs, columns, terms, transposed);
}

std::shared_ptr<Part> forward(std::string_view net, std::uint32_t in, std::uint32_t out, std::uint32_t batch) {
    auto part = part_of(fmt::format("{} {}x{} forward {}", net, in, out, batch), product_of(batch, out, in, kPlain),
                        std::size_t{batch} * out, std::size_t{batch} * in, std::size_t{in} * out);
    part->calls.push_back({part->out.data(),
                           out,
                           part->initial.data(),
                           0,
                           {part->factors.data(), in, 1, in, 0},
                           part->rows.data(),
                           out,
                           false,
                           batch,
                           out,
                           in});
    return part;
}

/// A block of the weights' rows at a time, as a worker does that hands each on before the next.
std::shared_ptr<Part> gradient(std::string_view net, std::uint32_t in, std::uint32_t out, std::uint32_t batch) {
    constexpr std::uint32_t kFloats = 96 * 1024; // of a block: it stays in a second-level cache
    const std::uint32_t block = std::min(in, std::max(kFloats / out / 12 * 12, 12u));
    auto part = part_of(fmt::format("{} {}x{} gradient {}", net, in, out, batch), product_of(in, out, batch, kFactors),
                        std::size_t{block} * out, std::size_t{batch} * in, std::size_t{batch} * out);
    for (std::uint32_t m = 0; m < in; m += block)
        part->calls.push_back({part->out.data(),
                               out,
                               nullptr,
                               0,
                               {part->factors.data() + m, 1, in, batch, 0},
                               part->rows.data(),
                               out,
                               false,
                               std::min(block, in - m),
                               out,
                               batch});
    return part;
}

std::shared_ptr<Part> backward(std::string_view net, std::uint32_t in, std::uint32_t out, std::uint32_t batch) {
    auto part = part_of(fmt::format("{} {}x{} backward {}", net, in, out, batch), product_of(batch, in, out, kRows),
                        std::size_t{batch} * in, std::size_t{batch} * out, std::size_t{in} * out);
    part->calls.push_back({part->out.data(),
                           in,
                           nullptr,
                           0,
                           {part->factors.data(), out, 1, out, 0},
                           part->rows.data(),
                           out,
                           true,
                           batch,
                           in,
                           out});
    return part;
}

/// A convolution of a square map of `side` x `side` x `channels`, the places around it there already.
struct Convolution {
    std::string_view net;
    std::uint32_t side, channels, kernel, filters;

    std::uint32_t places() const { return side - kernel + 1; } // of a line
    std::uint32_t terms() const { return kernel * kernel * channels; }
    std::size_t map() const { return std::size_t{side} * side * channels; }
    std::size_t line() const { return std::size_t{side} * channels; }
    std::string name(std::string_view what) const {
        return fmt::format("{} {}x{}x{} * {} {}", net, side, side, channels, filters, what);
    }
};

std::shared_ptr<Part> forward(const Convolution& c) {
    const std::uint32_t places = c.places(), filters = c.filters;
    auto part = part_of(c.name("forward"), product_of(places * places, filters, c.terms(), kPlain),
                        std::size_t{places} * places * filters, c.map(), std::size_t{c.terms()} * filters);
    for (std::uint32_t y = 0; y < places; ++y)
        part->calls.push_back({part->out.data() + std::size_t{y} * places * filters,
                               filters,
                               part->initial.data(),
                               0,
                               {part->factors.data() + y * c.line(), c.channels, 1, c.kernel * c.channels, c.line()},
                               part->rows.data(),
                               filters,
                               false,
                               places,
                               filters,
                               c.terms()});
    return part;
}

std::shared_ptr<Part> gradient(const Convolution& c) {
    const std::uint32_t places = c.places(), outs = c.kernel * c.channels;
    auto part = part_of(c.name("gradient"), product_of(c.terms(), c.filters, places * places, kFactors),
                        std::size_t{c.terms()} * c.filters, c.map(), std::size_t{places} * places * c.filters);
    for (std::uint32_t ky = 0; ky < c.kernel; ++ky)
        part->calls.push_back({part->out.data() + std::size_t{ky} * outs * c.filters,
                               c.filters,
                               nullptr,
                               0,
                               {part->factors.data() + ky * c.line(), 1, c.channels, places, c.line()},
                               part->rows.data(),
                               c.filters,
                               false,
                               outs,
                               c.filters,
                               places * places});
    return part;
}

/// What goes back to every window, before windows that overlap are added.
std::shared_ptr<Part> backward(const Convolution& c) {
    auto part = backward("", c.terms(), c.filters, c.places() * c.places());
    part->name = c.name("backward");
    return part;
}

void add_part(Bench& bench, const std::shared_ptr<Part>& part, InstructionSet set, const std::string& row) {
    const double operations = part->operations();
    const auto repeats = static_cast<std::uint32_t>(std::max(1.0, 2e6 / operations));
    bench.add(
        row,
        [=, form = form_for<Sums>(set)] {
            const Stopwatch watch;
            for (std::uint32_t r = 0; r < repeats; ++r) {
                for (const DenseSums& each : part->calls) form(each);
            }
            return Measurement{watch.seconds() / repeats, operations, {}};
        },
        0.05 / repeats);
}

/// One image of MNIST's kind: of 784 inputs a fifth is not zero.
void add_listed(Bench& bench) {
    constexpr std::uint32_t kIn = 784, kOut = 128, kRepeats = 50;
    struct Image {
        std::vector<std::uint32_t> index;
        std::vector<float> factor, rows = numbers(std::size_t{kIn} * kOut), biases = numbers(kOut),
                                   out = std::vector<float>(kOut);
    };
    auto image = std::make_shared<Image>();
    for (std::uint32_t k = 0; k < kIn; ++k) {
        if (philox({k, 1, 0, 0}, {1, 1})[0] % 5 == 0) image->index.push_back(k);
    }
    image->factor = numbers(image->index.size());
    bench.add(
        "mlp 784x128 forward 1, listed",
        [image, form = form_for<Listed>(best_instruction_set())] {
            const auto count = static_cast<std::uint32_t>(image->index.size());
            const Stopwatch watch;
            for (std::uint32_t r = 0; r < kRepeats; ++r)
                form({image->out.data(), image->biases.data(), image->index.data(), image->factor.data(),
                      image->rows.data(), kOut, count, kOut});
            return Measurement{watch.seconds() / kRepeats, 2.0 * count * kOut, {}};
        },
        0.05 / kRepeats);
}

void add_rows(Bench& bench) {
    std::vector<std::shared_ptr<Part>> parts;
    for (const std::uint32_t batch : {1u, 16u, 64u, 256u, 1024u}) {
        parts.push_back(forward("mlp", 784, 128, batch));
        parts.push_back(gradient("mlp", 784, 128, batch));
    }
    for (const std::uint32_t batch : {1u, 64u}) {
        parts.push_back(forward("mlp", 128, 10, batch));
        parts.push_back(gradient("mlp", 128, 10, batch));
        parts.push_back(backward("mlp", 128, 10, batch));
    }
    for (const std::uint32_t batch : {64u, 256u}) {
        parts.push_back(forward("fcn", 2048, 4096, batch));
        parts.push_back(gradient("fcn", 2048, 4096, batch));
        parts.push_back(backward("fcn", 2048, 4096, batch));
    }
    for (const auto& [in, out] : {std::pair{256u, 120u}, {120u, 84u}}) {
        parts.push_back(forward("lenet", in, out, 64));
        parts.push_back(gradient("lenet", in, out, 64));
        parts.push_back(backward("lenet", in, out, 64));
    }
    parts.push_back(forward(Convolution{"lenet", 28, 1, 5, 6})); // nothing goes back to an image
    parts.push_back(gradient(Convolution{"lenet", 28, 1, 5, 6}));
    for (const Convolution& c : {Convolution{"lenet", 12, 6, 5, 16}, {"cnn", 16, 32, 3, 64}}) {
        parts.push_back(forward(c));
        parts.push_back(gradient(c));
        parts.push_back(backward(c));
    }
    parts.push_back(forward(Convolution{"cnn", 30, 1, 3, 32}));
    for (const std::shared_ptr<Part>& part : parts) {
        add_part(bench, part, best_instruction_set(), part->name);
        const auto repeats = static_cast<std::uint64_t>(std::max(1.0, 1e9 / part->operations()));
        bench.add_rivals(
            " " + part->name, [part] { return part->product; }, repeats);
        if (!bench.rivals().empty()) bench.compare_with_rivals(part->name, " " + part->name);
    }
    add_listed(bench);
    constexpr std::array<std::string_view, kInstructionSets> kSets{"scalar", "avx2", "avx512"};
    const auto part = forward("mlp", 784, 128, 64);
    for (std::size_t set = 0; set <= static_cast<std::size_t>(best_instruction_set()); ++set) {
        add_part(bench, part, static_cast<InstructionSet>(set), fmt::format("{}/{}", part->name, kSets[set]));
        add_fma_ceiling(bench, static_cast<InstructionSet>(set), fmt::format("ceiling/{}", kSets[set]));
    }
    add_fma_ceiling(bench, best_instruction_set(), "ceiling");
    bench.set_ceiling("ceiling");
    bench.compare("share of the ceiling, mlp forward 64", "mlp 784x128 forward 64", "ceiling", 0.8);
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(
        argc, argv,
        {"How many multiplications and additions per second do the sums of a network's layers reach?", "operations/s",
         "",
         "OUTS x COLUMNS x TERMS and what is transposed, '64x128x784:plain' (or :factors, :rows), and how many such "
         "products",
         hogwild::add_rows});
}
