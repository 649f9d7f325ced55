// What does one increment of a shared buffer cost, by policy, contention and number of workers, and how many are lost?
//
// Workers add +1 to coordinates drawn at random (engine/measure/increment_loop.h); a buffer of one line is all contention, one
// of 2^26 floats hardly any. A call issues fewer than 2^24 increments into a zeroed buffer, so every cell counts exactly what
// reached it. ns = workers x seconds / increments: what a worker waits for its own increment, the draw included.
#include "engine/measure/increment_loop.h"
#include "engine/measure/measure.h"
#include "engine/memory/pages.h"
#include "engine/memory/parameter_buffer.h"
#include "engine/plan/plan.h"
#include "engine/workers/barrier.h"
#include "engine/workers/contexts.h"
#include "engine/workers/team.h"
#include "experiments/bench/guarded_add.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/text/text_table.h"
#include "kernels/catalog.h"
#include "kernels/updates/guards/global_lock.h"
#include "kernels/updates/guards/locked.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string_view>

#include <fmt/format.h>

namespace hogwild {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kRate = "increments/s";
constexpr std::uint64_t kIncrements = std::uint64_t{1} << 20; // of a call, all workers together
static_assert(kIncrements <= kExactIncrements);

struct Contention {
    std::string_view name;
    std::uint64_t floats;
};
constexpr std::array<Contention, 6> kContentions{{{"1-line", 16},
                                                  {"2^12", std::uint64_t{1} << 12},
                                                  {"2^16", std::uint64_t{1} << 16},
                                                  {"2^20", std::uint64_t{1} << 20},
                                                  {"2^24", std::uint64_t{1} << 24},
                                                  {"2^26", std::uint64_t{1} << 26}}};

struct alignas(128) Share {
    Clock::time_point start, end;
    double held = 0;
};

struct Place {
    std::shared_ptr<WorkerTeam> team;
    std::shared_ptr<PageArray<float>> cells;
    std::uint64_t floats;
};

/// `make(context)` is the policy of one worker.
template <class Make>
Measurement increment_together(const Place& place, const Plan& plan, const Make& make) {
    WorkerTeam& team = *place.team;
    float* cells = place.cells->data();
    SparseView shape;
    shape.columns = static_cast<std::uint32_t>(place.floats);
    WorkerContexts contexts(plan, shape, team.size(), team.oversubscribed());
    SpinBarrier barrier(team.size(), team.oversubscribed());
    std::vector<Share> shares(team.size());
    const std::uint64_t each = kIncrements / team.size() / 2 * 2;
    team.run([&](unsigned worker) {
        const CoordinateRange range = slice(shape.columns, worker, team.size());
        std::fill(cells + range.begin, cells + range.end, 0.0f);
        const auto policy = make(contexts[worker]);
        barrier.wait(worker);
        shares[worker].start = Clock::now();
        increment_at_random(policy, cells, place.floats, std::uint64_t{worker} << 40, 0, each);
        shares[worker].end = Clock::now();
        barrier.wait(worker);
        for (std::uint64_t i = range.begin; i < range.end; ++i) shares[worker].held += cells[i];
    });
    const auto start = std::ranges::min_element(shares, {}, &Share::start)->start;
    const auto end = std::ranges::max_element(shares, {}, &Share::end)->end;
    const auto issued = static_cast<double>(each * team.size());
    const double seconds = std::chrono::duration<double>(end - start).count();
    Measurement done{seconds, issued, {}};
    if (!update_traits(plan.update).writes) return done;
    double held = 0;
    for (const Share& share : shares) held += share.held;
    const auto dropped = static_cast<double>(contexts.telemetry().increments_dropped);
    done.means.emplace_back("lost", (issued - dropped - held) / issued);
    done.means.emplace_back("dropped", dropped / issued);
    return done;
}

std::string row_of(std::string_view policy, std::string_view contention, unsigned threads) {
    return fmt::format("{}/{}/{}", policy, contention, threads);
}

std::string rival_row_of(std::string_view rival, std::string_view contention) {
    return fmt::format("{}/{}", rival, contention);
}

template <class Update>
void add_update(Bench& bench, const Place& place, std::string_view contention) {
    Plan plan;
    plan.update = Update::name;
    bench.add(
        row_of(Update::name, contention, place.team->size()),
        [=] { return increment_together(place, plan, [](WorkerContext& context) { return Update(context); }); }, 0.02);
}

template <class Guard>
void add_guard(Bench& bench, const Place& place, std::string_view contention) {
    Plan plan;
    plan.guard = Guard::name;
    bench.add(
        row_of(Guard::name, contention, place.team->size()),
        [=] {
            return increment_together(
                place, plan, [&](WorkerContext& context) { return GuardedAdd<Guard>(context, place.cells->data()); });
        },
        0.02);
}

template <class... Update>
void add_updates(Bench& bench, const Place& place, std::string_view contention, const std::variant<Update...>*) {
    (add_update<Update>(bench, place, contention), ...);
}

/// ns, and what was lost.
std::string cell_of(const Figures& figures, const std::string& row, unsigned threads) {
    const std::optional<double> rate = figures.median(row, kRate);
    if (!rate) return "-";
    std::string cell = fmt::format("{:.3g}", threads * 1e9 / *rate);
    const double lost = figures.median(row, "lost").value_or(0) * 100;
    const double dropped = figures.median(row, "dropped").value_or(0) * 100;
    if (lost > 0) cell += fmt::format(" ({:.2g} %)", lost);
    if (dropped > 0) cell += fmt::format(" ({:.2g} % dropped)", dropped);
    return cell;
}

/// For each number of threads: policies down, contention across.
std::string matrices(const Figures& figures, const std::vector<unsigned>& counts, const std::vector<Rival>& rivals) {
    std::vector<std::string_view> policies(catalog::names<Updates>.begin(), catalog::names<Updates>.end());
    policies.insert(policies.end(), {Locked::name, GlobalLock::name});
    std::string text = "ns an increment (% lost)\n";
    for (const unsigned threads : counts) {
        TextTable table;
        table.add_column(fmt::format("threads: {}", threads), Align::kLeft);
        for (const Contention& contention : kContentions) table.add_column(std::string(contention.name), Align::kRight);
        const auto add_line = [&](std::string_view name, const auto& row) {
            std::vector<std::string> cells{std::string(name)};
            for (const Contention& contention : kContentions) {
                cells.push_back(cell_of(figures, row(name, contention.name), threads));
            }
            table.add_row(std::move(cells));
        };
        for (const std::string_view policy : policies) {
            add_line(policy, [=](auto name, auto contention) { return row_of(name, contention, threads); });
        }
        for (const Rival& rival : rivals) {
            if (threads == 1) add_line(rival.name, rival_row_of);
        }
        text += '\n' + table.text();
    }
    return text;
}

void add_rows(Bench& bench) {
    const auto cells = std::make_shared<PageArray<float>>(kContentions.back().floats);
    const std::vector<unsigned> counts = thread_counts();
    for (const unsigned threads : counts) {
        const auto team = std::make_shared<WorkerTeam>(threads);
        for (const Contention& contention : kContentions) {
            const Place place{team, cells, contention.floats};
            add_updates(bench, place, contention.name, static_cast<const Updates*>(nullptr));
            add_guard<Locked>(bench, place, contention.name);
            add_guard<GlobalLock>(bench, place, contention.name);
        }
    }
    for (const Contention& contention : kContentions) {
        bench.add_rivals(
            rival_row_of("", contention.name), [floats = contention.floats] { return std::to_string(floats); },
            kIncrements);
    }
    bench.compare_with_rivals(row_of(Racy::name, "2^16", 1), rival_row_of("", "2^16"));
    WorkerTeam one(1);
    bench.set_table(
        [counts, rivals = bench.rivals()](const Figures& figures) { return matrices(figures, counts, rivals); });
    bench.set_note([draw = measure_draw_ns(one)](const Figures&) {
        return fmt::format("drawing a coordinate alone takes {:.2f} ns\n", draw);
    });
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(
        argc, argv,
        {"What does one increment of a shared buffer cost, and how many are lost?", hogwild::kRate, "",
         "the floats of the buffer and the number of increments, by one thread", hogwild::add_rows});
}
