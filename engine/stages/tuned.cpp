// The fifth stage: tiles of registers made for the instruction set, and a Hogwild worker on every core.
//
// Workers share a batch's images as equally as they can. Each goes through its own image by image, sums their gradient in a slot of its
// own, then adds that to the one buffer of weights without a lock, beginning at another row than the others: relaxed loads and
// stores, so that an increment is lost where two workers add to one weight at once. All compute from the weights that the step began
// with. With one worker a step is deterministic.
#include "engine/memory/pages.h"
#include "engine/stages/cpu_stage.h"
#include "engine/stages/part_clock.h"
#include "engine/workers/team.h"
#include "kernels/stages/load_image.h"
#include "kernels/stages/tiles.h"
#include "kernels/stages/whole_maps.h"

#include <algorithm>
#include <optional>

namespace hogwild {
namespace {

class TunedStage : public CpuStage {
public:
    TunedStage(const ConvPoolInput& input, InstructionSet set, unsigned threads)
        : CpuStage(input, set, threads),
          tile_{shape_, width()},
          rows_(tile_.rows() + kRead),
          turned_(std::size_t{shape_.filters} * tile_.turned() + kRead) {
        for (unsigned w = 0; w < threads; ++w) workers_.emplace_back(tile_);
        if (threads > 1) team_.emplace(threads);
    }

    std::string_view name() const override { return "tuned"; }
    std::string_view says() const override { return "tiles of registers, a lock-free worker on every core"; }

    std::uint64_t bytes_moved() const override {
        const std::uint64_t weights = shape_.weights(), floats = sizeof(float);
        const std::uint64_t slopes = shape_.input_slopes ? floats * shape_.padded_size() : 0;
        return shape_.images * (shape_.image_size() + floats * 2 * shape_.pooled_size() + slopes) +
               floats * weights * (3 + 2 * workers_.size());
    }

    void step(const std::uint32_t* samples, float step_size, ConvPoolParts* parts) override {
        {
            const PartClock clock(parts, &ConvPoolParts::update, "weights");
            on_lanes<TileWeights, const TileShape&, const float*>(tile_, weights_.data(), rows_.data(), turned_.data());
        }
        const auto share = [&](unsigned w) { share_of(w, samples, step_size, parts != nullptr); };
        team_ ? team_->run(share) : share(0);
        if (parts == nullptr) return;
        const double of_one = 1.0 / static_cast<double>(workers_.size());
        for (const Worker& worker : workers_) {
            parts->load += of_one * worker.parts.load;
            parts->convolution += of_one * worker.parts.convolution;
            parts->backward += of_one * worker.parts.backward;
            parts->update += of_one * worker.parts.update;
        }
    }

private:
    static constexpr std::size_t kRead = 16; // floats, or bytes, that a vector may read behind an array's end

    struct Worker {
        explicit Worker(const TileShape& tile)
            : winners(tile.windows() * tile.filters() + kRead),
              through(tile.windows() * tile.filters()),
              turned_gradient(std::size_t{tile.of.filters} * tile.turned()),
              biases(tile.filters()),
              gradient(tile.of.weights()) {}

        PageArray<std::uint8_t> winners;
        PageArray<float> through, turned_gradient, biases, gradient;
        ConvPoolParts parts;
    };

    std::uint32_t width() const {
        std::uint32_t width = 0;
        on_lanes<WidthOfVectors, std::uint32_t&>(width);
        return width;
    }

    void share_of(unsigned w, const std::uint32_t* samples, float step_size, bool timed) {
        Worker& worker = workers_[w];
        worker.parts = {};
        ConvPoolParts* const parts = timed ? &worker.parts : nullptr;
        std::ranges::fill(worker.turned_gradient.span(), 0.0f);
        std::ranges::fill(worker.biases.span(), 0.0f);
        const auto workers = static_cast<std::uint32_t>(workers_.size());
        const std::uint32_t end = shape_.images * (w + 1) / workers;
        for (std::uint32_t i = shape_.images * w / workers; i < end; ++i) {
            {
                const PartClock clock(parts, &ConvPoolParts::load, "load");
                on_lanes<LoadImage, const ConvPoolShape&>(shape_, pixels(samples[i]), image(w));
            }
            const TileArrays arrays{rows_.data(),
                                    turned_.data(),
                                    image(w),
                                    pooled_of(i),
                                    worker.winners.data(),
                                    pooled_slopes_of(i),
                                    worker.through.data(),
                                    worker.turned_gradient.data(),
                                    worker.biases.data(),
                                    input_slopes_of(i)};
            {
                const PartClock clock(parts, &ConvPoolParts::convolution, "convolution and pooling");
                on_lanes<TilesForward, const TileShape&, const TileArrays&>(tile_, arrays);
            }
            const PartClock clock(parts, &ConvPoolParts::backward, "backward");
            on_lanes<TilesBack, const TileShape&, const TileArrays&>(tile_, arrays);
        }
        const PartClock clock(parts, &ConvPoolParts::update, "update");
        on_lanes<TileGradient, const TileShape&, const float*, const float*>(
            tile_, worker.turned_gradient.data(), worker.biases.data(), worker.gradient.data());
        const std::uint32_t first = shape_.weights() * w / workers;
        add(worker, first, shape_.weights(), step_size);
        add(worker, 0, first, step_size);
    }

    void add(const Worker& worker, std::uint32_t from, std::uint32_t to, float step_size) {
        on_lanes<AddToWeights, float*, const float*>(weights_.data() + from, worker.gradient.data() + from, to - from,
                                                     -step_size);
    }

    const TileShape tile_;
    PageArray<float> rows_, turned_;
    std::vector<Worker> workers_;
    std::optional<WorkerTeam> team_;
};

} // namespace

std::unique_ptr<ConvPoolStage> make_tuned_stage(const ConvPoolInput& input, InstructionSet set, unsigned threads) {
    return std::make_unique<TunedStage>(input, set, threads);
}

} // namespace hogwild
