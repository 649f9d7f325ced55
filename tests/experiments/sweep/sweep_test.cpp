// The whole command: what it writes, and that nothing is lost however it ends.
#include "engine/data/load.h"
#include "engine/record/optimum_cache.h"
#include "engine/record/targets.h"
#include "experiments/checked_line.h"
#include "experiments/json.h"
#include "experiments/sweep/journal.h"
#include "tests/experiments/faults.h"
#include "tests/scratch.h"

#include <map>
#include <random>
#include <set>
#include <sstream>

using namespace hogwild;

namespace {

/// Deterministic schemes alone, and a target that nobody reaches, so that any two sweeps choose and give the same.
constexpr const char* kSpec = R"(
[run]
data = "synthetic:rows=300,features=40,nonzeros=5"
no-cache = true
epochs = 2
observe = 1
[axes]
scheme = ["serial", "minibatch"]
threads = [1]
[seeds]
final = "1..2"
tuning = "11"
[targets]
target = 1e-6
[tuning]
step-scale = [0.5, 2]
)";

/// By run: what does not depend on the clock.
std::map<std::string, std::string> losses(const std::filesystem::path& summary) {
    std::istringstream text(text_of(summary));
    std::string line;
    std::map<std::string, std::string> losses;
    std::vector<std::string> names;
    while (std::getline(text, line)) {
        std::vector<std::string> row{""};
        bool quoted = false;
        for (const char c : line) {
            quoted ^= c == '"';
            if (c == ',' && !quoted)
                row.emplace_back();
            else
                row.back() += c;
        }
        if (names.empty()) {
            names = row;
            continue;
        }
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (names[i] == "status" || names[i] == "train_loss" || names[i] == "updates" || names[i] == "step_size")
                losses[row[0]] += names[i] + '=' + row[i] + ' ';
        }
    }
    return losses;
}

struct SpecFile {
    Scratch scratch;
    std::filesystem::path file = scratch.path / "spec.toml";

    explicit SpecFile(const std::string& text = kSpec) { std::ofstream(file) << text; }

    std::vector<std::string> words(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"sweep", file.string(), "-o", "out", "--no-report"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }

    Finished run(const std::vector<std::string>& more = {}) const { return call(words(more), scratch.path); }

    std::filesystem::path out() const { return scratch.path / "out"; }
};

/// How often each key ended, by the journal.
std::map<std::string, int> ends(const std::filesystem::path& journal) {
    std::istringstream text(text_of(journal));
    std::map<std::string, int> ends;
    for (std::string line; std::getline(text, line);) {
        const auto record = checked_record(line + '\n');
        REQUIRE(record);
        if (record->at("event") == "end") ++ends[record->at("key")];
    }
    return ends;
}

/// The folder of the first run of the summary.
std::string first_run(const SpecFile& spec) { return losses(spec.out() / "summary.csv").begin()->first; }

const std::map<std::string, std::string>& expected() {
    static const std::map<std::string, std::string> uninterrupted = [] {
        const SpecFile spec;
        REQUIRE(spec.run().code == 0);
        return losses(spec.out() / "summary.csv");
    }();
    return uninterrupted;
}

void check_whole(const SpecFile& spec) {
    CHECK(losses(spec.out() / "summary.csv") == expected());
    for (const auto& end : ends(spec.out() / "journal")) CHECK_MESSAGE(end.second == 1, end.first);
    CHECK(ends(spec.out() / "journal").size() == 8); // 4 trials and 4 final runs
}

/// Runs the sweep with a fault; its exit code.
int run_with(const SpecFile& spec, const std::string& fault, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = spec.words({"--quiet"});
    words.insert(words.end(), more.begin(), more.end());
    return call_with(fault, words, spec.scratch.path).code;
}

} // namespace

TEST_CASE("a sweep writes its tables, and the same command again runs nothing") {
    const SpecFile spec;
    const Finished first = spec.run();
    CHECK_MESSAGE(first.code == 0, first.error);
    CHECK(losses(spec.out() / "summary.csv").size() == 4);
    CHECK(losses(spec.out() / "tuning" / "summary.csv").size() == 4);
    const std::string choices = text_of(spec.out() / "choices.csv");
    CHECK(std::count(choices.begin(), choices.end(), '\n') == 3);
    const std::string summary = text_of(spec.out() / "summary.csv"), journal = text_of(spec.out() / "journal");
    const Finished again = spec.run();
    CHECK(again.code == 0);
    CHECK(text_of(spec.out() / "summary.csv") == summary);
    CHECK(text_of(spec.out() / "journal") == journal);
    CHECK(text_of(spec.out() / "sweep.toml") == kSpec);
    CHECK(spec.run({"--tune-only"}).code == 0);
    CHECK(text_of(spec.out() / "summary.csv") == summary);
}

TEST_CASE("choices.csv is one table with a row of its own for every combination, whatever tells them apart") {
    const SpecFile spec(R"(
[run]
no-cache = true
epochs = 1
scheme = "serial"
[axes]
data = ["synthetic:rows=60,features=20,nonzeros=5", "synthetic:rows=80,features=20,nonzeros=5"]
delay = [0, 1e-6]
[seeds]
final = "1"
tuning = "11"
[tuning]
step-scale = [0.5, 2]
)");
    REQUIRE(spec.run().code == 0);
    std::istringstream text(text_of(spec.out() / "choices.csv"));
    std::set<std::string> rows;
    std::string header, row;
    std::getline(text, header);
    CHECK(header.starts_with("problem,data,scheme,"));
    while (std::getline(text, row)) CHECK(rows.insert(row.substr(0, row.find("step-scale"))).second);
    CHECK(rows.size() == 4);
    CHECK(!rows.contains(header));
}

TEST_CASE("after an interrupt the same command goes on, and what was done is not done again") {
    const SpecFile spec;
    {
        std::vector<std::string> words{program()};
        for (const std::string& word : spec.words()) words.push_back(word);
        Child child(words, spec.scratch.path);
        CHECK(child.wait_for_error("[2/4]"));
        child.interrupt();
        CHECK(child.finish() == 130);
        CHECK(child.error.find("runs are left; the same command goes on with them") != std::string::npos);
    }
    CHECK(spec.run().code == 0);
    check_whole(spec);
}

TEST_CASE("killed at any of its writes, a hundred times, a sweep loses no finished run and repeats none") {
    if (no_faults()) return;
    std::mt19937_64 random(5);
    for (int kills = 0; kills < 100;) {
        const SpecFile spec;
        for (;;) {
            const int code = run_with(spec, "kill:" + std::to_string(1 + random() % 60));
            if (code == 0) break;
            REQUIRE(code == 1000 + SIGKILL);
            ++kills;
        }
        check_whole(spec);
    }
}

TEST_CASE("killed at any moment, a hundred times, a sweep loses no finished run and repeats none") {
    if (no_faults()) return;
    std::mt19937_64 random(7);
    for (int kills = 0; kills < 100;) {
        const SpecFile spec;
        for (unsigned most = 200;; most += most / 2) { // milliseconds: on a slow machine nothing would get done in few
            const int code = run_with(spec, "after:" + std::to_string(1 + random() % most));
            if (code == 0) break;
            REQUIRE(code == 1000 + SIGKILL);
            ++kills;
        }
        check_whole(spec);
    }
}

TEST_CASE("where every k-th write, flush or rename fails, or writes fall short, a sweep says so or does it all") {
    if (no_faults()) return;
    for (const std::string mode : {"every:", "short:"}) {
        for (const int k : {1, 2, 3, 5, 8, 13, 21, 34, 55}) {
            const SpecFile spec;
            CAPTURE(mode);
            CAPTURE(k);
            const int code = run_with(spec, mode + std::to_string(k));
            CHECK((code == 0 || code == 74));
            if (mode == "every:") CHECK(code == 74);
            CHECK(spec.run({"--quiet"}).code == 0);
            check_whole(spec);
        }
    }
}

TEST_CASE("a disk that is full from any write on stops a sweep with exit 74, and it goes on once there is room") {
    if (no_faults()) return;
    for (int call = 1, code = 74; code != 0; call += 3) {
        const SpecFile spec;
        CAPTURE(call);
        code = run_with(spec, "fail:" + std::to_string(call));
        if (code != 0) CHECK(code == 74);
        CHECK(spec.run({"--quiet"}).code == 0);
        check_whole(spec);
        REQUIRE(call < 1'000);
    }
}

TEST_CASE("killed while it runs again what is done, a sweep keeps a whole result of every run") {
    if (no_faults()) return;
    std::mt19937_64 random(6);
    const SpecFile spec;
    CHECK(spec.run().code == 0);
    for (int kills = 0; kills < 20; ++kills) {
        CHECK(run_with(spec, "kill:" + std::to_string(1 + random() % 100), {"--rerun", "all"}) == 1000 + SIGKILL);
        if (kills % 4 != 3) continue;
        const Finished after = spec.run();
        CHECK_MESSAGE(after.code == 0, after.error);
        CHECK(losses(spec.out() / "summary.csv") == expected());
    }
    std::filesystem::remove_all(spec.out() / first_run(spec));
    CHECK(spec.run().code == 0); // a folder that somebody took away is made again
    CHECK(losses(spec.out() / "summary.csv") == expected());
}

TEST_CASE("a grid that grows runs nothing twice, keeps whole batches, and flags the edge where it has to stop") {
    std::string text = kSpec;
    text.replace(text.find("step-scale = [0.5, 2]"), 21, "step-scale = [0.5, 2]\nbatch = [2, 4]\nextend = 3");
    const SpecFile spec(text);
    const Finished done = spec.run();
    CHECK_MESSAGE(done.code == 0, done.error);
    for (const auto& end : ends(spec.out() / "journal")) CHECK_MESSAGE(end.second == 1, end.first);
    const std::string trials = text_of(spec.out() / "tuning" / "summary.csv");
    CHECK(losses(spec.out() / "tuning" / "summary.csv").size() + 1 ==
          static_cast<std::size_t>(std::count(trials.begin(), trials.end(), '\n')));
    const SpecFile narrow(
        "[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'\nno-cache=true\nepochs=1\nscheme='minibatch'\n"
        "threads=1\n[seeds]\nfinal=1\ntuning=2\n[targets]\ntarget=1e-6\n[tuning]\nbatch=[1,2]\nextend=1");
    CHECK(narrow.run().code == 0);
    CHECK(text_of(narrow.out() / "choices.csv").find("batch=4,") != std::string::npos);
    CHECK(text_of(narrow.out() / "choices.csv").find(",1,3,0,") != std::string::npos); // at_edge, trials, reached
}

TEST_CASE("a folder has one runner at a time, whose end frees it however it ends") {
    const SpecFile spec(
        "[run]\ndata='synthetic:rows=20000,features=400,nonzeros=20'\nno-cache=true\nepochs=4000\nscheme='serial'");
    std::vector<std::string> words{program()};
    for (const std::string& word : spec.words()) words.push_back(word);
    Child first(words, spec.scratch.path);
    CHECK(first.wait_for_error("data: "));
    const Finished second = spec.run();
    CHECK(second.code == 2);
    CHECK(second.error.find("out is being worked on (another `hogwild` has locked it)") != std::string::npos);
    first.kill_now();
    CHECK(spec.run({"--set", "run.epochs=1"}).code == 0);
}

TEST_CASE("shards take whole seeds, and their folders copied together are the sweep") {
    const SpecFile spec;
    const Finished early = spec.run({"--shard", "1/2"});
    CHECK(early.code == 2);
    CHECK(early.error.find("a shard cannot tune (4 trials are not done") != std::string::npos);
    CHECK(spec.run({"--tune-only"}).code == 0);
    const SpecFile other;
    std::filesystem::copy(spec.out(), other.out(), std::filesystem::copy_options::recursive);
    CHECK(spec.run({"--shard", "1/2"}).code == 0);
    CHECK(other.run({"--shard", "2/2"}).code == 0);
    std::filesystem::copy(other.out(), spec.out(),
                          std::filesystem::copy_options::recursive | std::filesystem::copy_options::skip_existing);
    const Finished merged = spec.run();
    CHECK(merged.code == 0);
    CHECK(merged.error.find("[1/") == std::string::npos); // nothing ran
    CHECK(losses(spec.out() / "summary.csv") == expected());
    CHECK(spec.run({"--shard", "3/3"}).code == 2); // two seeds
}

TEST_CASE("--rerun runs again what it names, and --timeout fails a run that takes longer") {
    const SpecFile spec;
    CHECK(spec.run().code == 0);
    const std::string journal = text_of(spec.out() / "journal");
    CHECK(spec.run({"--rerun", "failed"}).code == 0);
    CHECK(text_of(spec.out() / "journal") == journal);
    CHECK(spec.run({"--rerun", "all"}).code == 0);
    for (const auto& [key, count] : ends(spec.out() / "journal")) CHECK(count == 2);
    CHECK(losses(spec.out() / "summary.csv") == expected());

    const SpecFile slow(
        "[run]\ndata='synthetic:rows=20000,features=400,nonzeros=20'\nno-cache=true\nepochs=4000\nscheme='serial'\n"
        "[seeds]\nfinal=1");
    const Finished late = slow.run({"--timeout", "0.2"});
    CHECK(late.code == 1);
    CHECK_MESSAGE(late.error.find("failed, ") != std::string::npos, late.error);
    CHECK(text_of(slow.out() / "summary.csv").find("it took longer than 200 ms") != std::string::npos);
    CHECK(slow.run({"--rerun", "failed", "--set", "run.epochs=1"}).code == 0);
}

TEST_CASE("a dry run says the plan and writes nothing; a smoke run is done at once") {
    const SpecFile spec;
    const Finished plan = spec.run({"--dry-run"});
    CHECK(plan.code == 0);
    CHECK_MESSAGE(plan.out.find("2 combinations, 4 trials and 4 final runs, about ") != std::string::npos, plan.out);
    CHECK(!std::filesystem::exists(spec.out()));
    CHECK(spec.run({"--smoke"}).code == 0);
}

TEST_CASE("a dry run counts what is done, and needs no GPU to plan for one") {
    const SpecFile spec;
    CHECK(spec.run().code == 0);
    const std::string journal = text_of(spec.out() / "journal");
    CHECK(spec.run({"--dry-run"}).out.find("4 trials and 4 final runs, of which 8 are done, about") !=
          std::string::npos);
    CHECK(spec.run({"--dry-run", "--rerun", "all"}).out.find("are done") == std::string::npos);
    std::filesystem::remove_all(spec.out() / first_run(spec));
    CHECK(spec.run({"--dry-run"}).out.find("of which 7 are done") != std::string::npos);
    CHECK(spec.run({"--dry-run", "--tune-only"}).out.find("4 trials and 0 final runs, of which 4") !=
          std::string::npos);
    CHECK(spec.run({"--dry-run", "--shard", "2/2"}).out.find("0 trials and 2 final runs") != std::string::npos);
    CHECK(text_of(spec.out() / "journal") == journal);
    const SpecFile gpu(
        "[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'\nno-cache=true\nscheme='hogwild'\ndevice='gpu'");
    const Finished plan = gpu.run({"--dry-run"});
    CHECK_MESSAGE(plan.code == 0, plan.error);
    CHECK(plan.out.find("1 combinations, 0 trials and 5 final runs") != std::string::npos);
}

TEST_CASE(
    "an optimum stays what it was in the folder: no run is repeated for another, and later ones have its target") {
    const std::string data = "synthetic:rows=300,features=40,nonzeros=5";
    const SpecFile spec("[run]\ndata='" + data +
                        "'\nno-cache=true\nepochs=1\nl2=0.01\nscheme='serial'\nproblem='hinge'\n[seeds]\nfinal='1..2'\n"
                        "[targets]\ntarget='gap:0.5'");
    CHECK(spec.run().code == 0);
    const std::string journal = text_of(spec.out() / "journal"), run = first_run(spec);
    const OptimumKey key{hash_of(load(data, {}).view()), "hinge", 0.01};
    auto optimum = load_optimum(spec.out() / "optima", key);
    REQUIRE(optimum);
    optimum->initial += 1;
    optimum->converged = false;
    store_optimum(spec.out() / "optima", key, *optimum);
    CHECK(spec.run().code == 0);
    CHECK(text_of(spec.out() / "journal") == journal);
    std::filesystem::remove_all(spec.out() / run);
    CHECK(spec.run().code == 0);
    const Json manifest = json_of(text_of(spec.out() / run / "manifest.json"));
    CHECK(manifest["initial_loss"] == optimum->initial);
    CHECK(manifest["target"] == target_at(0.5, optimum->lower, optimum->initial));
}

TEST_CASE("what a sweep cannot take is said in words") {
    const SpecFile spec;
    CHECK(spec.run({"--shard", "3/2"}).error.find("--shard cannot be '3/2'") != std::string::npos);
    CHECK(spec.run({"--timeout", "-1"}).error.find("--timeout cannot be '-1'") != std::string::npos);
    CHECK(call({"sweep", "nowhere.toml"}, spec.scratch.path).code == 2);
    const SpecFile none("[run]\ndata='x'\nscheme='serial'\n[[exclude]]\nscheme='serial'");
    CHECK(none.run().error.find("nothing is left to run") != std::string::npos);
    const SpecFile two("[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'");
    CHECK(two.run().error.find("a combination is more than one run") != std::string::npos);
    std::filesystem::create_directory(spec.scratch.path / "full");
    std::ofstream(spec.scratch.path / "full" / "summary.csv") << "x\n";
    CHECK(call({"sweep", spec.file.string(), "-o", "full"}, spec.scratch.path)
              .error.find("full holds results that are no sweep's") != std::string::npos);
}
