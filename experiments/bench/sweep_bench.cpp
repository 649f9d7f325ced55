// What does a sweep cost besides its runs: a record of the journal, reading a long one, a run's process and bookkeeping.
//
// The least that a record can cost is the flush of a few bytes to disk, which is measured beside it. Runs are of a problem that
// is trained in a millisecond, by the program that lies beside this one's folder.
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/scratch_folder.h"
#include "experiments/bench/harness/stopwatch.h"
#include "experiments/bench/harness/subprocess.h"
#include "experiments/files/checked_line.h"
#include "experiments/files/durable.h"
#include "experiments/sweep/folder/journal.h"
#include "experiments/text/json.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr int kRecords = 100;
constexpr int kLong = 20'000; // records: a sweep of 10,000 runs
constexpr int kRuns = 20;

struct Place {
    ScratchFolder folder;
    int used = 0;

    /// A folder that nothing has been in.
    std::string fresh() {
        const std::string path = folder.file(std::to_string(used++));
        std::filesystem::create_directory(path);
        return path;
    }
};

std::string key_of(int run) { return fmt::format("{:016x}", 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(run)); }

Ended ended(int run) { return {"hogwild-racy-t16-s1-" + key_of(run), "done", "0123456789abcdef", 0.25, 0.125, 0.5}; }

Measurement per(double seconds, int count, const char* unit, double scale) {
    return {seconds, static_cast<double>(count), {{unit, seconds / count * scale}}};
}

void add_records(Bench& bench, const std::shared_ptr<Place>& place) {
    bench.add("journal/record", [=] {
        Journal journal(place->fresh(), "journal");
        const Stopwatch watch;
        for (int run = 0; run < kRecords / 2; ++run) {
            journal.begin(key_of(run));
            journal.end(key_of(run), ended(run));
        }
        return per(watch.seconds(), kRecords, "ms/record", 1e3);
    });
    bench.add("journal/flush alone", [=] {
        AppendFile file(place->fresh() + "/file");
        const Stopwatch watch;
        for (int i = 0; i < kRecords; ++i) file.append("x\n");
        return per(watch.seconds(), kRecords, "ms/record", 1e3);
    });
}

void add_reading(Bench& bench, const std::shared_ptr<Place>& place) {
    const std::string folder = place->fresh();
    {
        std::ofstream text(folder + "/journal");
        for (int run = 0; run < kLong / 2; ++run) {
            Json record{{"event", "end"}, {"time", "2026-01-01T00:00:00Z"}, {"key", key_of(run)}};
            text << checked_line({{"event", "begin"}, {"time", "2026-01-01T00:00:00Z"}, {"key", key_of(run)}});
            record.update(ended_json(ended(run)));
            text << checked_line(record);
        }
    }
    bench.add("journal/read 20,000", [=] {
        const Stopwatch watch;
        const Journal journal{std::filesystem::path(folder)};
        return per(watch.seconds(), kLong, "us/record", 1e6);
    });
}

/// `program` makes kRuns runs, one after another, or as a sweep.
void add_runs(Bench& bench, const std::shared_ptr<Place>& place, const std::string& program) {
    const std::string data = "synthetic:rows=300,features=40,nonzeros=5";
    bench.add("run/alone", [=] {
        const std::string folder = place->fresh();
        const Stopwatch watch;
        for (int seed = 1; seed <= kRuns; ++seed) {
            output_of({program, "run", "--data", data, "--no-cache", "--scheme", "serial", "--epochs", "2", "--seed",
                       std::to_string(seed), "--no-warm-up", "--no-plot", "--quiet", "-o",
                       folder + "/" + std::to_string(seed)});
        }
        return per(watch.seconds(), kRuns, "ms/run", 1e3);
    });
    bench.add("run/in a sweep", [=] {
        const std::string folder = place->fresh();
        std::ofstream(folder + "/spec.toml") << fmt::format(
            "[run]\ndata = '{}'\nno-cache = true\nepochs = 2\n[axes]\nscheme = ['serial']\n[seeds]\nfinal = '1..{}'\n",
            data, kRuns);
        const Stopwatch watch;
        output_of({program, "sweep", folder + "/spec.toml", "-o", folder + "/out", "--no-report", "--quiet"});
        return per(watch.seconds(), kRuns, "ms/run", 1e3);
    });
}

void add_rows(Bench& bench) {
    const auto place = std::make_shared<Place>();
    add_records(bench, place);
    add_reading(bench, place);
    const std::string program = std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() / "hogwild";
    add_runs(bench, place, program);
    bench.compare("a record beside the least that it can cost", "journal/record", "journal/flush alone");
    bench.compare("a run in a sweep beside the same run alone", "run/in a sweep", "run/alone");
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(
        argc, argv, {"What does a sweep cost besides its runs?", "records or runs/s", "", "", hogwild::add_rows});
}
