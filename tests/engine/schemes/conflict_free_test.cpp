// Conflict-free schedules give the serial result.
#include "engine/data/shuffle.h"
#include "engine/plan/plan.h"
#include "engine/schemes/conflicts/conflicts.h"
#include "engine/schemes/conflicts/tile_window.h"
#include "engine/schemes/conflicts/window.h"
#include "tests/engine/schemes/serial_paths.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <vector>

using namespace hogwild;

TEST_CASE("runs without conflicts end with serial's weights at any number of workers") { // oracle 8
    const Dataset crowd = crowded(), apart = disjoint(2'000);
    for (const Dataset* data : {&crowd, &apart}) {
        for (const char* step : {"decay", "backoff"}) {
            for (const double l2 : {1e-3, 0.7}) { // within one era, and across several
                for (const char* order : {"permutation", "stored", "replacement"}) {
                    Plan plan = toy_plan("serial");
                    plan.problem = "logistic";
                    plan.step.kind = step;
                    plan.l2 = l2;
                    plan.order = order;
                    check_conflict_free_schemes(plan, *data);
                }
            }
        }
    }
}

TEST_CASE("so do such runs over ratings, by tiles and one by one") { // oracle 8
    for (const std::uint32_t rows : {3'000u, 150'000u}) {
        const Dataset data = ratings_dataset(random_ratings(rows, 3'000, 900, {.mean = 3}, 5));
        Plan plan = ratings_plan("serial");
        plan.epochs = 2;
        plan.observations_per_epoch = 2;
        REQUIRE(wants_shuffled(plan, data) == (rows > 100'000));
        check_conflict_free_schemes(plan, data);
    }
}

TEST_CASE("a piece lists the ranges of all that its samples touch, and pieces follow one another to the epoch's end" *
          doctest::test_suite("not under ThreadSanitizer")) {
    const Dataset ratings = ratings_dataset(random_ratings(9'000, 2'000, 700, {.rank = 4}, 8)), rows = crowded();
    for (const Dataset* source : {&ratings, &rows}) {
        for (const char* order : {"permutation", "stored", "replacement"}) {
            const Dataset& data = *source;
            Plan plan = toy_plan("conflict-free");
            const Timeline timeline(plan, static_cast<std::uint32_t>(data.view().rows()));
            Conflicts conflicts(timeline, order, data.view(), 3);
            OrderCursor cursor(order, data.view(), 3);
            // A group's range is in the lists of all pieces that touch the group.
            std::vector<std::set<std::uint32_t>> common(data.view().groups());
            const auto end = static_cast<std::uint32_t>(data.view().rows());
            std::vector<std::uint32_t> touched, samples;
            for (std::uint32_t first = 0; first < end;) {
                const std::uint32_t count = conflicts.piece(1, first, end, touched);
                REQUIRE(count > 0);
                REQUIRE(first + count <= end);
                const std::set<std::uint32_t> listed(touched.begin(), touched.end());
                CHECK(listed.size() == touched.size()); // each once
                samples.resize(count);
                fill(cursor, 1, first, count, samples.data());
                data.view().visit([&](const auto& view) {
                    for (const std::uint32_t i : samples) {
                        view.row(i).for_each_group([&](std::uint32_t group) {
                            std::set<std::uint32_t>& ranges = common[group];
                            if (ranges.empty()) ranges = listed;
                            std::erase_if(ranges, [&](std::uint32_t range) { return !listed.contains(range); });
                            CHECK_FALSE(ranges.empty());
                        });
                    }
                });
                first += count;
            }
        }
    }
}

namespace {

constexpr unsigned kWorkers = 3;

/// Walks a window's pieces, of a run from sample `first` on, with as many at once as are ready. The done ones come in
/// the order that `seed` says. Returns how many were walked side by side at the most.
template <class Window>
std::size_t walk_pieces(Window& window, const Dataset& data, const Plan& plan, std::uint64_t seed,
                        std::uint64_t first = 0) {
    std::size_t most = 0;
    TestNumbers numbers(seed);
    std::vector<typename Window::Piece> walking;
    std::vector<std::uint64_t> last(data.view().groups()); // for each group, one past the last sample that touched it
    const std::uint64_t rows = data.view().rows();
    std::vector<bool> walked(rows * plan.epochs);
    std::fill_n(walked.begin(), first, true);
    OrderCursor cursor(plan.order, data.view(), plan.seed);
    while (window.stretch() < walked.size()) {
        const std::uint64_t stretch = window.stretch();
        for (unsigned i = 0, begin = numbers.bits() % kWorkers; i < kWorkers; ++i) {
            const unsigned worker = (begin + i) % kWorkers;
            for (auto piece = window.claim(stretch, worker); !piece.empty(); piece = window.claim(stretch, worker))
                walking.push_back(piece);
        }
        REQUIRE_FALSE(walking.empty());
        most = std::max(most, walking.size());
        const std::size_t which = numbers.bits() % walking.size();
        const typename Window::Piece piece = walking[which];
        walking.erase(walking.begin() + static_cast<std::ptrdiff_t>(which));
        const Positions at = piece.positions;
        std::vector<std::uint32_t> samples(at.count);
        fill(cursor, at.epoch, at.first, at.count, samples.data());
        const auto step = [&](std::uint64_t number, const auto& sample) {
            if (walked[number]) FAIL("twice: " << number);
            walked[number] = true;
            sample.for_each_group([&](std::uint32_t group) {
                if (last[group] > number) FAIL("before an earlier sample: " << number);
                last[group] = number + 1;
            });
        };
        data.view().visit([&](const auto& view) {
            for (std::uint32_t i = 0; i < samples.size(); ++i)
                step(at.epoch * rows + at.first + i, view.row(samples[i]));
        });
        const bool ended = window.done(piece);
        CHECK(ended == (window.stretch() != stretch));
    }
    CHECK(std::ranges::find(walked, false) == walked.end());
    CHECK(walking.empty());
    return most;
}

} // namespace

TEST_CASE("pieces that share a range come in serial's order, every sample once, and others side by side") {
    const Plan plan = toy_plan("conflict-free", kWorkers);
    const Dataset data = crowded();
    const Timeline timeline(plan, static_cast<std::uint32_t>(data.view().rows()));
    for (const std::uint64_t seed : {1, 2, 3}) {
        Conflicts conflicts(timeline, plan.order, data.view(), plan.seed);
        ConflictWindow window(timeline, conflicts, 0, false);
        walk_pieces(window, data, plan, seed);
    }
}

TEST_CASE("so do tiles, of which all rows of the grid have one at a time") {
    Plan plan = ratings_plan("conflict-free", kWorkers);
    plan.epochs = 2;
    plan.observations_per_epoch = 3;
    for (const std::uint32_t count : {400'000u, 30'000u}) { // the latter's tiles have holes
        const std::uint32_t users = count / 100, items = count == 30'000 ? 9 : 3'000;
        const Dataset data = shuffled(ratings_dataset(random_ratings(count, users, items, {.rank = 4}, 8)));
        const SampleOrder order = sample_order(plan.order, data.view(), plan.seed);
        REQUIRE(order.kind == OrderKind::kTiles);
        const Timeline timeline(plan, count);
        for (const std::uint64_t seed : {1, 2, 3}) {
            TileWindow whole(timeline, order, 0, plan.threads);
            const std::size_t most = walk_pieces(whole, data, plan, seed);
            CHECK(most == std::min(data.view().tiles().side, items));
            const std::uint64_t first = timeline.updates_before(timeline.chunk_of(count + seed * 4'321));
            TileWindow rest(timeline, order, first, plan.threads);
            walk_pieces(rest, data, plan, seed, first);
        }
    }
}
