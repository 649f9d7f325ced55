// The fifth stage: tiles of registers made for the instruction set, and a Hogwild worker on every core.
//
// Workers share a batch's images as equally as they can. Each goes through its own image by image and sums their
// gradient in a slot of its own. It then adds that to the one buffer of weights without a lock. It begins at another
// row than the others, by relaxed loads and stores. So an increment is lost where two workers add to one weight at
// once. All compute from the weights that the step began with. With one worker a step is deterministic.
#include "engine/memory/pages.h"
#include "engine/stages/cpu_stage.h"
#include "engine/stages/part_clock.h"
#include "engine/stages/turned_gradient.h"
#include "engine/workers/team.h"
#include "kernels/network/stages/by_windows.h"
#include "kernels/network/stages/by_winners.h"
#include "kernels/network/stages/load_image.h"

#include <optional>

namespace hogwild {
namespace {

class TunedStage : public CpuStage {
public:
    TunedStage(const ConvPoolInput& input, InstructionSet set, unsigned threads)
        : CpuStage(input, set, threads),
          tile_(tile_shape()),
          rows_(tile_.rows()),
          turned_weights_(std::size_t{shape_.filters} * tile_.turned()) {
        for (unsigned w = 0; w < threads; ++w) workers_.emplace_back(tile_);
        if (threads > 1) team_.emplace(threads);
    }

    std::string_view name() const override { return team_ ? "tuned" : "tuned-1"; }
    std::string_view says() const override {
        return team_ ? "the same by a lock-free worker on every core" : "windows are pooled in registers, one thread";
    }

    std::uint64_t bytes_moved() const override {
        const std::uint64_t weights = shape_.weights(), floats = sizeof(float);
        const std::uint64_t slopes = shape_.input_slopes ? floats * shape_.padded_size() : 0;
        return shape_.images * (shape_.image_size() + floats * 2 * shape_.pooled_size() + slopes) +
               floats * weights * (3 + 2 * workers_.size());
    }

    void step(const std::uint32_t* samples, float step_size, ConvPoolParts* parts) override {
        {
            const PartClock clock(parts, &ConvPoolParts::update, "weights");
            on_lanes<MakeRows, const TileShape&, const float*>(tile_, weights_.data(), rows_.data());
            if (shape_.input_slopes)
                on_lanes<TurnWeights, const TileShape&, const float*>(tile_, weights_.data(), turned_weights_.data());
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
    struct Worker {
        explicit Worker(const TileShape& tile)
            : winners(tile.winners()),
              through(tile.of.pooled_size()),
              lists(WinnerLists::floats(tile.of)),
              windows(SlopesByWinners::floats(tile)),
              gradient(tile.of.weights()),
              turned_gradient(tile) {}

        PageArray<std::uint8_t> winners;
        PageArray<float> through, lists, windows, gradient;
        TurnedGradient turned_gradient;
        ConvPoolParts parts;
    };

    void share_of(unsigned w, const std::uint32_t* samples, float step_size, bool timed) {
        Worker& worker = workers_[w];
        worker.parts = {};
        ConvPoolParts* const parts = timed ? &worker.parts : nullptr;
        worker.turned_gradient.clear();
        const auto workers = static_cast<std::uint32_t>(workers_.size());
        const std::uint32_t end = shape_.images * (w + 1) / workers;
        for (std::uint32_t i = shape_.images * w / workers; i < end; ++i) whole_image(w, samples[i], i, parts);
        const PartClock clock(parts, &ConvPoolParts::update, "update");
        add_gradient(tile_, worker.turned_gradient, worker.gradient.data(), step_size, shape_.weights() * w / workers);
    }

    void whole_image(unsigned w, std::uint32_t sample, std::uint32_t i, ConvPoolParts* parts) {
        const Worker& worker = workers_[w];
        {
            const PartClock clock(parts, &ConvPoolParts::load, "load");
            on_lanes<LoadImage, const ConvPoolShape&>(shape_, pixels(sample), image(w));
        }
        {
            const PartClock clock(parts, &ConvPoolParts::convolution, "convolution and pooling");
            on_lanes<ForwardByWindows, const TileShape&, const ForwardByWindows&>(
                tile_, {rows_.data(), image(w), pooled_of(i), worker.winners.data()});
        }
        const PartClock clock(parts, &ConvPoolParts::backward, "backward");
        on_lanes<BackByWinners, const TileShape&, const BackByWinners&>(
            tile_, {turned_weights_.data(), image(w), pooled_of(i), worker.winners.data(), pooled_slopes_of(i),
                    worker.through.data(), worker.lists.data(), worker.turned_gradient.windows.data(),
                    worker.turned_gradient.biases.data(), worker.windows.data(), input_slopes_of(i)});
    }

    const TileShape tile_;
    PageArray<float> rows_, turned_weights_;
    std::vector<Worker> workers_;
    std::optional<WorkerTeam> team_;
};

} // namespace

std::unique_ptr<ConvPoolStage> make_tuned_stage(const ConvPoolInput& input, InstructionSet set, unsigned threads) {
    return std::make_unique<TunedStage>(input, set, threads);
}

} // namespace hogwild
