// What does each stage of speeding up a convolution with subsampling bring (kernels/network/stages/conv_pool.h)? Stages
// go from plain loops to the best code for this processor, and on to a GPU where there is one.
//
// A row STAGE/SHAPE is one step on a batch of 64 images: loading, forward, back, the update of the weights. Rates are
// of steps without a clock inside; the times of parts are of one more step. Images are those of --data where the shape
// is that of digits, otherwise random bytes. Operations are those that are needed (ConvPoolShape::flops), bytes by each
// stage's own formula, beside those that are needed (least_bytes). Rows of CPUs say what share of a core's ceiling they
// reach, rows of a GPU of that GPU's. The zeroth stage, loops over places and filters around products of NumPy's
// arrays, is a rival: --rival numpy=experiments/bench/rivals/numpy_loop.py. cuDNN stands beside the stages of a GPU,
// where the build found it. Shapes whose names end in 1024, that many images a step, are a GPU's alone.
#include "engine/data/dataset.h"
#include "engine/machine/gpus.h"
#include "engine/numbers.h"
#include "engine/stages/conv_pool_stage.h"
#include "experiments/bench/fma_ceiling.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/stopwatch.h"
#include "experiments/bench/rivals/cudnn_stage.h"
#include "experiments/text/text_table.h"
#include "kernels/numbers/random.h"
#include "kernels/views/images_view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kBatch = 64, kImages = 1024; // of a step; of a dataset of random bytes
constexpr float kStepSize = 1e-4f;
const std::string kCeiling = "ceiling";
const std::vector<std::pair<std::string, double ConvPoolParts::*>> kParts{
    {"load", &ConvPoolParts::load},       {"convolution", &ConvPoolParts::convolution},
    {"pooling", &ConvPoolParts::pooling}, {"backward", &ConvPoolParts::backward},
    {"update", &ConvPoolParts::update},   {"copies", &ConvPoolParts::copies}};

struct NamedShape {
    std::string name;
    ConvPoolShape shape;

    bool only_gpu() const { return shape.images != kBatch; }
};

const std::vector<NamedShape> kShapes{
    {"lenet-1", {kBatch, 28, 28, 1, 6, 5, 0, 2, false}},    {"lenet-2", {kBatch, 12, 12, 6, 16, 5, 0, 2, true}},
    {"cnn-1", {kBatch, 28, 28, 1, 32, 3, 1, 2, false}},     {"cnn-2", {kBatch, 14, 14, 32, 64, 3, 1, 2, true}},
    {"lenet-1-1024", {1024, 28, 28, 1, 6, 5, 0, 2, false}}, {"lenet-2-1024", {1024, 12, 12, 6, 16, 5, 0, 2, true}},
    {"cnn-1-1024", {1024, 28, 28, 1, 32, 3, 1, 2, false}},  {"cnn-2-1024", {1024, 14, 14, 32, 64, 3, 1, 2, true}}};

const std::vector<std::string> kStages{"plain",        "vectorised", "fused",       "buffered",
                                       "tuned-1",      "tuned",      "gpu-unfused", "gpu-fused",
                                       "gpu-buffered", "gpu-tuned",  "cudnn",       "cudnn-tf32"};

std::uint32_t bits(std::uint32_t i, std::uint32_t of) { return philox({i, of, 0, 0}, {1, 1})[0]; }

std::vector<float> numbers(std::size_t count, std::uint32_t of, float scale) {
    std::vector<float> all(count);
    for (std::size_t i = 0; i < count; ++i)
        all[i] = scale * (2 * unit_float(bits(static_cast<std::uint32_t>(i), of)) - 1);
    return all;
}

/// What the stages of one shape share.
struct Subject {
    NamedShape of;
    Dataset images;
    std::vector<std::uint8_t> random;
    std::vector<std::uint32_t> samples;
    std::vector<float> slopes, weights;
    ConvPoolInput input;

    Subject(const NamedShape& of, const Dataset& images) : of(of), images(images) {
        const ConvPoolShape& shape = of.shape;
        const auto view = images.view().as<ImagesView>();
        input = {shape, view.pixels, static_cast<std::uint32_t>(view.rows), nullptr, {}};
        if (view.shape != MapShape{shape.height, shape.width, shape.channels}) {
            for (std::uint32_t i = 0; i < kImages * shape.image_size(); ++i)
                random.push_back(static_cast<std::uint8_t>(bits(i, 1)));
            input.dataset = random.data();
            input.dataset_images = kImages;
        }
        for (std::uint32_t i = 0; i < shape.images; ++i) samples.push_back(bits(i, 2) % input.dataset_images);
        slopes = numbers(std::size_t{shape.images} * shape.pooled_size(), 3, 1e-2f);
        weights = numbers(shape.weights(), 4, 1 / std::sqrt(static_cast<float>(shape.depth())));
        input.pooled_slopes = slopes.data();
        input.weights = weights;
    }

    /// As a rival gets it: IMAGESxHEIGHTxWIDTHxCHANNELS:FILTERSxKERNELxPADDINGxPOOL, and :slopes.
    std::string text() const {
        const ConvPoolShape& s = of.shape;
        return fmt::format("{}x{}x{}x{}:{}x{}x{}x{}{}", s.images, s.height, s.width, s.channels, s.filters, s.kernel,
                           s.padding, s.pool, s.input_slopes ? ":slopes" : "");
    }
};

void add_stage(Bench& bench, const std::shared_ptr<Subject>& subject, const std::shared_ptr<ConvPoolStage>& stage,
               bool on_gpu) {
    const double flops = subject->of.shape.flops();
    const std::uint32_t images = subject->of.shape.images;
    const auto bytes = static_cast<double>(stage->bytes_moved()),
               least_bytes = static_cast<double>(subject->of.shape.least_bytes());
    bench.add(
        fmt::format("{}/{}", stage->name(), subject->of.name),
        [=] {
            const auto repeats = static_cast<std::uint32_t>(std::max(1.0, (on_gpu ? 4e9 : 4e7) / flops));
            const std::uint32_t* const samples = subject->samples.data();
            stage->step(samples, kStepSize, nullptr); // what others left in caches is not its own
            stage->finish();
            const Stopwatch watch;
            for (std::uint32_t r = 0; r < repeats; ++r) stage->step(samples, kStepSize, nullptr);
            stage->finish();
            const double seconds = watch.seconds() / repeats;
            ConvPoolParts parts;
            stage->step(samples, kStepSize, &parts);
            stage->finish();
            Measurement measured{seconds, static_cast<double>(images), {}};
            measured.means = {{"bytes", bytes}, {"least_bytes", least_bytes}, {"operations", flops}};
            for (const auto& [name, part] : kParts) measured.means.emplace_back(name, parts.*part);
            return measured;
        },
        0.004); // short, so that on a busy machine some repetition meets nobody
}

/// Ours and cuDNN's; none without a GPU.
ConvPoolStages gpu_stages(const ConvPoolInput& input) {
    ConvPoolStages stages = gpu_conv_pool_stages(input);
    for (const bool tf32 : {false, true}) {
        if (auto stage = cudnn_stage(input, tf32)) stages.push_back(std::move(stage));
    }
    return stages;
}

struct Row {
    std::string name;
    bool on_gpu = false;
};

/// The rows of a shape, the zeroth stage's first; without a name where there is none.
struct ShapeRows {
    std::uint32_t images;
    std::vector<Row> rows;
};

/// TF32 is no float32: no share of its ceiling.
bool in_float32(const Row& row) { return !row.name.starts_with("cudnn-tf32/"); }

/// Times of parts are per image, in microseconds. `gpu_ceiling`: operations a second, or 0 without a GPU.
std::string table_of(const Figures& figures, const std::vector<ShapeRows>& shapes, const std::string& rate,
                     double gpu_ceiling) {
    TextTable table;
    table.add_column("stage/shape", Align::kLeft);
    for (const char* title : {"images/s", "over zeroth", "over previous"}) table.add_column(title, Align::kRight);
    for (const auto& [name, part] : kParts) table.add_column(name + " us", Align::kRight);
    for (const char* title : {"MB a step", "over needed", "GB/s", "Gflop/s", "of a core"})
        table.add_column(title, Align::kRight);
    if (gpu_ceiling > 0) table.add_column("of the GPU", Align::kRight);
    const auto text = [](std::optional<double> value, double scale) {
        return value ? human(*value * scale) : std::string("-");
    };
    const std::optional<double> ceiling = figures.best(kCeiling, rate);
    for (const auto& [images, rows] : shapes) {
        std::optional<double> first, previous;
        for (const Row& each : rows) {
            const std::string& row = each.name;
            const std::optional<double> speed = figures.best(row, rate);
            if (!speed) continue; // not chosen
            if (&each == &rows.front()) first = speed;
            const auto times = [&](std::optional<double> other) {
                return other ? fmt::format("{:.2f}x", *speed / *other) : std::string("-");
            };
            std::vector<std::string> cells{row, scaled(*speed), times(first), times(previous)};
            for (const auto& [name, part] : kParts) cells.push_back(text(figures.median(row, name), 1e6 / images));
            const std::optional<double> bytes = figures.median(row, "bytes"),
                                        least = figures.median(row, "least_bytes"),
                                        operations = figures.median(row, "operations");
            const double steps = *speed / images; // per second
            cells.push_back(text(bytes, 1e-6));
            cells.push_back(bytes && least ? fmt::format("{:.1f}x", *bytes / *least) : "-");
            cells.push_back(text(bytes, 1e-9 * steps));
            cells.push_back(text(operations, 1e-9 * steps));
            const auto share = [&](bool holds, double most) {
                return holds && operations && most > 0 ? fmt::format("{:.1f} %", *operations * steps / most * 100)
                                                       : std::string("-");
            };
            cells.push_back(share(!each.on_gpu, ceiling.value_or(0)));
            if (gpu_ceiling > 0) cells.push_back(share(each.on_gpu && in_float32(each), gpu_ceiling));
            table.add_row(std::move(cells));
            previous = speed;
        }
    }
    return table.text();
}

void add_rows(Bench& bench) {
    const Dataset images = bench.load_data(ImagesView::kSamples);
    const Gpus gpus = read_gpus();
    const bool gpu = !gpus.list.empty();
    const double gpu_ceiling = gpu ? float32_ceiling(gpus.list[0]) : 0;
    std::vector<ShapeRows> rows;
    for (const NamedShape& each : kShapes) {
        if (!bench.chosen("shape", each.name) || (each.only_gpu() && !gpu)) continue;
        const auto subject = std::make_shared<Subject>(each, images);
        std::vector<Row> of_shape;
        if (!each.only_gpu()) {
            bench.add_rivals(
                "/" + each.name, [subject] { return subject->text(); }, 1);
            for (const Rival& rival : bench.rivals()) of_shape.push_back({rival.name + "/" + each.name});
        }
        if (of_shape.empty()) of_shape.emplace_back(); // no zeroth stage
        const auto add = [&](ConvPoolStages stages, bool on_gpu) {
            for (auto& stage : stages) {
                const std::string name(stage->name());
                if (!bench.chosen("stage", name)) continue;
                of_shape.push_back({fmt::format("{}/{}", name, each.name), on_gpu});
                add_stage(bench, subject, std::move(stage), on_gpu);
            }
        };
        if (!each.only_gpu()) add(cpu_conv_pool_stages(subject->input), false);
        if (gpu) add(gpu_stages(subject->input), true);
        const std::string cudnn = "cudnn/" + each.name;
        if (std::ranges::find(of_shape, cudnn, &Row::name) != of_shape.end())
            bench.compare("gpu-tuned / " + cudnn, "gpu-tuned/" + each.name, cudnn, 1.0);
        rows.push_back({each.shape.images, std::move(of_shape)});
    }
    add_fma_ceiling(bench, best_instruction_set(), kCeiling);
    bench.set_table(
        [rows, gpu_ceiling](const Figures& figures) { return table_of(figures, rows, "images/s", gpu_ceiling); });
    bench.set_note([gpu_ceiling](const Figures& figures) {
        std::string text =
            fmt::format("Rates: best repetition. Times of parts: medians. A core's ceiling: {}flop/s{}.\n",
                        scaled(figures.best(kCeiling, "images/s").value_or(0)),
                        gpu_ceiling > 0 ? fmt::format(", the GPU's in float32: {}flop/s", scaled(gpu_ceiling)) : "");
        return gpu_ceiling > 0 ? text + "Times of a GPU's parts are of launches without a captured graph.\n" : text;
    });
}

std::vector<std::string> names_of_shapes() {
    std::vector<std::string> names;
    for (const NamedShape& each : kShapes) names.push_back(each.name);
    return names;
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(
        argc, argv,
        {"What does each stage of speeding up a convolution with subsampling bring?",
         "images/s",
         "synthetic:images/10",
         "IMAGESxHEIGHTxWIDTHxCHANNELS:FILTERSxKERNELxPADDINGxPOOL, with :slopes behind it where slopes along the "
         "images are wanted, and a number of steps",
         hogwild::add_rows,
         {{"stage", "Stages to measure", hogwild::kStages},
          {"shape", "Shapes to measure", hogwild::names_of_shapes()}}});
}
