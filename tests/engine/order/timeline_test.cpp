#include "engine/order/timeline.h"
#include "engine/plan/choices.h"
#include "engine/plan/plan.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

Plan plan(double l2) {
    Plan plan;
    plan.epochs = 3;
    plan.l2 = l2;
    plan.step.kind = "decay";
    plan.step.size = 0.5;
    return plan;
}

Timeline prepared(const Plan& plan, std::uint32_t rows) {
    Timeline timeline(plan, rows);
    const Schedule schedule(plan.step, plan.epochs);
    for (std::uint32_t e = 0; e < plan.epochs; ++e) timeline.prepare(e, schedule);
    return timeline;
}

} // namespace

TEST_CASE("chunks cover every position of every epoch once, in order") {
    for (const std::string device : {"cpu", "both"}) {
        const std::uint32_t most = device == "cpu" ? Timeline::kCell : Timeline::kMostBesideGpu;
        for (const std::uint32_t rows : {1u, 5u, 39u, 270u, 1'000u, 4'096u, 32'561u}) {
            Plan on_device = plan(0);
            on_device.device = device;
            const Timeline timeline = prepared(on_device, rows);
            std::uint64_t next = 0;
            for (std::uint64_t g = 0; g < timeline.chunks(); ++g) {
                const Positions at = timeline.positions(g);
                CHECK(at.count > 0);
                CHECK(at.count <= most);
                CHECK(at.epoch * std::uint64_t{rows} + at.first == next);
                CHECK(at.first / Timeline::kCell == (at.first + at.count - 1) / Timeline::kCell);
                next += at.count;
                CHECK(timeline.updates_after(g) == next);
            }
            CHECK(next == std::uint64_t{3} * rows);
        }
    }
}

TEST_CASE("the last chunk of gradients that take longer is waited for no longer than one of them, or 10 us") {
    for (const double delay : {0.0, 1e-8, 3e-7, 1e-6, 1e-5, 3e-5, 1e-3}) {
        Plan delayed = plan(0);
        delayed.delay = delay;
        const Positions at = prepared(delayed, 32'561).positions(0);
        CHECK(delay * at.count <= std::max(delay, 10e-6));
        CHECK((at.count == Timeline::kCell || delay * 2 * at.count > 10e-6)); // and is no shorter than need be
    }
}

TEST_CASE("observations fall due once each, in order, evenly, the last one at the end") {
    for (const std::uint32_t rows : {270u, 1'000u, 32'561u}) {
        const Timeline timeline = prepared(plan(0), rows);
        std::uint64_t last = 0;
        for (std::uint64_t g = 0; g < timeline.chunks(); ++g) {
            const std::uint64_t number = timeline.observation_after(g);
            if (number == 0) continue;
            CHECK(number == last + 1);
            last = number;
            const double due = static_cast<double>(number) / 10 * rows;
            // Off by at most the chunk it falls into and the one that the epoch's short last chunk stands for.
            CHECK(std::abs(static_cast<double>(timeline.updates_after(g)) - due) <= 2 * Timeline::kCell);
        }
        CHECK(last == timeline.observations());
        CHECK(timeline.observation_after(timeline.chunks() - 1) == timeline.observations());
    }
}

TEST_CASE("the scale is the product of all decays since the era began, never underflows, and no era of whole cells "
          "ends before it must") {
    for (const std::uint32_t rows : {270u, 1'000u, 5'000u}) {
        for (const double l2 : {0.0, 1e-4, 0.05, 0.3}) {
            const Timeline timeline = prepared(plan(l2), rows);
            double scale = 1, bits = 0; // bits: of the era's cells, as if all were whole
            std::uint64_t eras = 1;
            for (std::uint64_t g = 0; g < timeline.chunks(); ++g) {
                const double whole_cell = -std::log2(timeline.pace(g).decay) * Timeline::kCell;
                if (g > 0 && timeline.era_end(g) != timeline.era_end(g - 1)) {
                    CHECK(timeline.era_end(g - 1) == g); // eras end where the next begins
                    CHECK(bits + whole_cell > 64 * (1 - 1e-9));
                    scale = 1;
                    bits = 0;
                    ++eras;
                }
                if (timeline.positions(g).first % Timeline::kCell == 0) bits += whole_cell;
                const Pace pace = timeline.pace(g);
                CHECK(pace.scale == doctest::Approx(scale).epsilon(1e-12));
                CHECK(pace.decay == 1 - pace.step * l2);
                for (std::uint32_t i = 0; i < timeline.positions(g).count; ++i) scale *= pace.decay;
                CHECK(timeline.scale_after(g) == doctest::Approx(scale).epsilon(1e-12));
                CHECK(timeline.scale_after(g) >= 0x1p-64);
            }
            if (l2 < 0.01) CHECK(eras == 1);
            if (l2 > 0.1) CHECK(eras > 1);
        }
    }
}

TEST_CASE("a chunk's step is the schedule's at the first position of its cell") {
    for (const std::string kind : {"constant", "decay", "inverse-time", "linear"}) {
        Plan planned = plan(0.01);
        planned.step.kind = kind;
        const Timeline timeline = prepared(planned, 5'000);
        const Schedule schedule(planned.step, planned.epochs);
        for (std::uint64_t g = 0; g < timeline.chunks(); ++g) {
            const Positions at = timeline.positions(g);
            CHECK(timeline.pace(g).step == schedule.step(at.epoch, (at.first / 256 * 256) / 5'000.0));
        }
    }
}

TEST_CASE("no era of short numbers lets the scale fall further than they can follow, nor ends before it must") {
    for (const auto& [memory, most] : {std::pair{"host-bf16", 64}, {"host-fp16-shared", 8}, {"host-int8-nearest", 1}}) {
        Plan planned = plan(0.005);
        set_memory(planned, memory);
        REQUIRE(why_not(planned).empty());
        const Timeline timeline = prepared(planned, 5'000);
        double bits = 0;
        for (std::uint64_t g = 0; g < timeline.chunks(); ++g) {
            const double whole_cell = -std::log2(timeline.pace(g).decay) * Timeline::kCell;
            if (g > 0 && timeline.era_end(g) != timeline.era_end(g - 1)) {
                CHECK(bits + whole_cell > most * (1 - 1e-9));
                bits = 0;
            }
            if (timeline.positions(g).first % Timeline::kCell == 0) bits += whole_cell;
            CHECK(timeline.scale_after(g) >= std::exp2(-most) * (1 - 1e-9));
        }
        CHECK((timeline.eras_before(timeline.chunks() - 1) > 0) == (most < 64));
    }
}

TEST_CASE("a vanishing L2 needs no second era") {
    for (const double l2 : {1e-17, 1e-300}) { // 1 - step x l2 rounds to 1
        const Timeline timeline = prepared(plan(l2), 5'000);
        CHECK(timeline.era_end(0) == timeline.chunks());
    }
}

TEST_CASE("a stretch ends where its epoch, its era or its observation does, and nowhere before") {
    for (const double l2 : {0.0, 0.29}) { // the second: eras of a few cells
        for (const std::uint32_t rows : {1u, 270u, 1'000u, 32'561u}) {
            const Timeline timeline = prepared(plan(l2), rows);
            std::uint64_t era = 0; // samples before it
            for (std::uint64_t g = 0; g < timeline.chunks(); ++g) {
                std::uint64_t end = g + 1;
                while (end < timeline.chunks() && timeline.epoch_start(end) == timeline.epoch_start(g) &&
                       timeline.era_end(end) == timeline.era_end(g) && timeline.observation_after(end - 1) == 0)
                    ++end;
                CHECK(timeline.stretch_end(g) == end);
                const bool era_begins = g > 0 && timeline.era_end(g) != timeline.era_end(g - 1);
                if (era_begins) era = timeline.updates_after(g - 1);
                CHECK(timeline.samples_begin(g) == era);
                const std::uint64_t era_end = timeline.updates_after(timeline.era_end(g) - 1);
                CHECK(timeline.samples_end(g, timeline.epochs()) == era_end);
                CHECK(timeline.samples_end(g, 1) == std::min<std::uint64_t>(era_end, rows));
                const Positions at = timeline.positions(g, end);
                CHECK(at.first == timeline.positions(g).first);
                CHECK(timeline.updates_after(end - 1) == at.epoch * std::uint64_t{rows} + at.first + at.count);
            }
        }
    }
}

TEST_CASE("an epoch's paces are those of its cells' first chunks, and a moment's is that of the position it falls on") {
    const Timeline timeline = prepared(plan(0.01), 32'561);
    std::vector<Pace> paces(timeline.cells());
    for (std::uint32_t epoch = 0; epoch < timeline.epochs(); ++epoch) {
        timeline.paces(epoch, paces.data());
        const std::uint64_t per_epoch = timeline.chunks() / timeline.epochs();
        for (std::uint64_t g = epoch * per_epoch; g < (epoch + 1) * per_epoch; ++g) {
            const Positions chunk = timeline.positions(g);
            const Pace cell = paces[chunk.first / Timeline::kCell], expected = timeline.pace(g);
            CHECK(cell.step == expected.step);
            CHECK(cell.decay == expected.decay);
            CHECK(cell.scale * std::pow(cell.decay, chunk.first % Timeline::kCell) == doctest::Approx(expected.scale));
            const Pace moment = timeline.pace_after(timeline.updates_after(g) - chunk.count);
            CHECK(moment.step == expected.step);
            CHECK(moment.decay == expected.decay);
            CHECK(moment.scale == expected.scale);
        }
    }
}
