// How long do long sweeps keep one waiting? Rows are for the next run of one that has 10,000 behind it, and for a
// report of 1,000 runs.
//
// The 10,000 are written here, as a sweep leaves them; a repetition runs the one that is left. Its time is that until
// the journal says that the run began. `whole s` is that until the tables and verdicts are written, too. The 1,000 are
// measured first, which takes a minute. Both are run by the program that lies beside this one's folder.
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/scratch_folder.h"
#include "experiments/bench/harness/stopwatch.h"
#include "experiments/bench/harness/subprocess.h"
#include "experiments/files/checked_line.h"
#include "experiments/folder/result.h"
#include "experiments/sweep/runner.h"
#include "experiments/sweep/spec/cases.h"
#include "experiments/text/json.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr unsigned kSeeds = 5'001; // of two schemes
constexpr unsigned kBehind = 2 * kSeeds - 1;

constexpr const char* kData =
    "[run]\ndata = 'synthetic:rows=300,features=40,nonzeros=5'\nno-cache = true\nepochs = 2\n";

std::string two_schemes() {
    return fmt::format("{}threads = 1\n[axes]\nscheme = ['serial', 'minibatch']\n[seeds]\nfinal = '1..{}'\n", kData,
                       kSeeds);
}

/// All rivals with a target, twenty-five combinations: 1,000 runs.
std::string all_rivals() {
    return fmt::format(
        "{}oversubscribe = true\n[axes]\nscheme = ['serial', 'hogwild', 'round-robin', 'minibatch', 'local-sgd']\n"
        "update = ['racy', 'atomic']\nguard = ['none', 'locked']\nthreads = [1, 2, 3, 4]\n"
        "[[exclude]]\nscheme = ['serial', 'round-robin', 'minibatch', 'local-sgd']\nguard = 'locked'\n"
        "[seeds]\nfinal = '1..40'\n[targets]\ntarget = 'gap:1e-1'\n",
        kData);
}

struct Place {
    ScratchFolder folder;
    std::string program = std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() / "hogwild";

    /// Runs the sweep `name`.toml into the folder `name`.
    void sweep(const std::string& name) const {
        output_of({program, "sweep", folder.file(name + ".toml"), "-o", folder.file(name), "--no-report", "--quiet"});
    }
};

/// A sweep's folder in which all runs but one are done; the run that is left.
std::string write_done(const Place& place) {
    const std::string text = two_schemes();
    std::ofstream(place.folder.file("long.toml")) << text;
    const std::filesystem::path folder = place.folder.file("long");
    std::filesystem::create_directories(folder);
    const Spec spec = parse_spec(text, "long.toml");
    const SweepInputs swept(cases(spec), [&](const Case& each) { return candidates(spec, each); });
    std::vector<SweepJob> jobs;
    for (const Combination& combination : swept.combinations()) {
        for (unsigned seed = 1; seed <= kSeeds; ++seed)
            jobs.push_back(job_of(swept, combination, combination.candidates.front(), seed, ""));
    }
    const std::string left = jobs.back().run;
    jobs.pop_back();
    std::ofstream journal(folder / "journal");
    for (const SweepJob& job : jobs) {
        const Ended ended{job.run, "done", build_facts().commit, 0.03, {}, 0.5};
        std::filesystem::create_directory(folder / job.run);
        Result result;
        result.run = job.run;
        result.plan = job.plan;
        result.outcome.seconds = 0.001;
        std::ofstream(folder / job.run / "row.csv") << summary_header() << summary_line(result);
        std::ofstream(folder / job.run / "trace.csv") << trace_text(result);
        std::ofstream(folder / job.run / "manifest.json")
            << json_text({{"key", job.key}, {"ended", ended_json(ended)}});
        Json record{{"event", "end"}, {"time", "2026-01-01T00:00:00Z"}, {"key", job.key}};
        record.update(ended_json(ended));
        journal << checked_line({{"event", "begin"}, {"time", "2026-01-01T00:00:00Z"}, {"key", job.key}})
                << checked_line(record);
    }
    return folder / left;
}

void add_rows(Bench& bench) {
    const auto place = std::make_shared<Place>();
    const auto left = std::make_shared<std::string>();
    bench.add("resume/10,001 runs behind", [=] {
        if (left->empty()) *left = write_done(*place);
        std::filesystem::remove_all(*left);
        const std::filesystem::path journal = place->folder.file("long/journal");
        const auto before = std::filesystem::file_size(journal);
        const Stopwatch watch;
        auto whole = std::async(std::launch::async, [&] {
            place->sweep("long");
            return watch.seconds();
        });
        const auto waited = [&] { return whole.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout; };
        while (std::filesystem::file_size(journal) == before && waited()) {}
        const double started = watch.seconds();
        return Measurement{started, kBehind, {{"s", started}, {"whole s", whole.get()}}};
    });
    bench.add("report/1,000 runs", [=] {
        const std::string folder = place->folder.file("reported");
        if (!std::filesystem::exists(folder)) {
            std::ofstream(place->folder.file("reported.toml")) << all_rivals();
            place->sweep("reported");
        }
        const Stopwatch watch;
        output_of({place->program, "report", folder});
        return Measurement{watch.seconds(), 1'000, {{"s", watch.seconds()}}};
    });
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(argc, argv,
                               {"How long do long sweeps keep one waiting?", "runs/s", "", "", hogwild::add_rows});
}
