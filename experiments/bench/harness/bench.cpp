#include "experiments/bench/harness/bench.h"

#include "engine/data/borrowed_arrays.h"
#include "engine/data/load.h"
#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/numbers.h"

#include <algorithm>
#include <map>
#include <optional>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace hogwild {
namespace {

/// Takes every repetition; shows nothing, for random order ends all rows at once.
class Collector : public benchmark::BenchmarkReporter {
public:
    explicit Collector(Figures& figures) : figures_(figures) {}

    bool ReportContext(const Context& context) override {
        PrintBasicContext(&GetErrorStream(), context);
        return true;
    }

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration || run.counters.empty()) continue; // a rival that failed has none
            const std::string& row = run.run_name.function_name;
            const auto iterations = static_cast<double>(std::max<std::int64_t>(run.iterations, 1));
            figures_.add(row, kSecondsFigure, run.real_accumulated_time / iterations);
            for (const auto& [name, counter] : run.counters) figures_.add(row, name, counter.value);
        }
    }

private:
    Figures& figures_;
};

void measure(benchmark::State& state, const std::string& rate, const Bench::Work& work) {
    double amount = 0;
    std::map<std::string, double> sums;
    for (auto _ : state) {
        const Measurement done = work();
        state.SetIterationTime(done.seconds);
        amount += done.amount;
        for (const auto& [name, value] : done.means) sums[name] += value;
    }
    state.counters[rate] = benchmark::Counter(amount, benchmark::Counter::kIsRate);
    for (const auto& [name, sum] : sums) state.counters[name] = sum / static_cast<double>(state.iterations());
}

/// A repetition lasts `seconds`; none: one call.
void register_row(const std::string& row, const std::function<void(benchmark::State&)>& call,
                  std::optional<double> seconds) {
#ifndef __clang_analyzer__ // which takes it for a leak that the library keeps its rows
    auto* registered = benchmark::RegisterBenchmark(row.c_str(), call)->UseManualTime();
    seconds ? registered->MinTime(*seconds) : registered->Iterations(1);
#endif
}

} // namespace

bool Bench::chosen(const std::string& choice, const std::string& name) const {
    const auto names = choices_.find(choice);
    return names == choices_.end() || std::ranges::find(names->second, name) != names->second.end();
}

Dataset Bench::load_data(std::string_view samples) const {
    LoadOptions options;
    options.samples = samples;
    options.use_cache = false;
    Dataset data = load(data_, options);
    const AnyView& view = data.view();
    const auto bytes = static_cast<double>(array_bytes(view));
    const std::string shape = view.is<SparseView>() ? fmt::format(" x {} coordinates, {} nonzeros",
                                                                  grouped(view.coordinates()), grouped(view.nonzeros()))
                                                    : "";
    benchmark::AddCustomContext(
        "data", fmt::format("{}: {} samples{}, {} as arrays", data_, grouped(view.rows()), shape, human_bytes(bytes)));
    return data;
}

void Bench::add(const std::string& row, Work work, double seconds) {
    rows_.push_back(row);
    const auto call = [rate = rate_, work = std::move(work)](benchmark::State& state) { measure(state, rate, work); };
    register_row(row, call, seconds);
}

void Bench::add_rivals(const std::string& suffix, const std::function<std::string()>& subject, std::uint64_t repeats) {
    for (const Rival& rival : rivals_) {
        const std::string row = rival.name + suffix;
        const auto call = [this, row, rival, subject, repeats](benchmark::State& state) {
            if (failures_.contains(row)) return state.SkipWithError("it failed before");
            try {
                measure(state, rate_, [&] {
                    const RivalSpeed speed = run_rival(rival, subject(), std::to_string(repeats));
                    const double seconds = speed.seconds / static_cast<double>(repeats);
                    return Measurement{seconds, speed.rate * seconds, {}};
                });
            } catch (const Error& error) {
                failures_.emplace(row, error.what());
                state.SkipWithError(error.what());
            }
        };
        rows_.push_back(row);
        register_row(row, call, std::nullopt);
    }
}

void Bench::compare(const std::string& what, const std::string& above, const std::string& below) {
    ratios_.push_back({what, above, below, std::nullopt});
}

void Bench::compare(const std::string& what, const std::string& above, const std::string& below, double at_least) {
    ratios_.push_back({what, above, below, at_least});
}

void Bench::compare_with_rivals(const std::string& row, const std::string& suffix) {
    for (const Rival& rival : rivals_) compare(row + " / " + rival.name, row, rival.name + suffix);
    if (rivals_.empty()) compare(row + " / rival", row, "rival" + suffix);
}

std::size_t Bench::run() {
    Collector collector(figures_);
    return benchmark::RunSpecifiedBenchmarks(&collector);
}

std::string Bench::tables() const {
    std::string text = table_ ? table_(figures_) : rows_table(figures_, rows_, rate_, ceiling_);
    if (!ratios_.empty()) text += '\n' + ratios_table(figures_, ratios_, rate_);
    if (note_) text += '\n' + note_(figures_);
    return text;
}

std::vector<unsigned> thread_counts() {
    const unsigned most = usable_cores();
    std::vector<unsigned> counts;
    for (unsigned threads = 1; threads < most; threads *= 2) counts.push_back(threads);
    counts.push_back(most);
    return counts;
}

} // namespace hogwild
