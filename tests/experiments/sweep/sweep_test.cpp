// The whole command: what it runs, and what it writes.
#include "engine/data/load.h"
#include "engine/optimum/optimum_cache.h"
#include "engine/record/targets.h"
#include "experiments/text/json.h"
#include "tests/experiments/sweep/sweeps.h"

#include <set>

using namespace hogwild;

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

TEST_CASE("a finished run that lacks one of its files is run again, which is said, and is left to do in a dry run") {
    std::string text = kSpec;
    text.replace(text.find("observe = 1"), 11, "observe = 1\ntelemetry = \"exact\"");
    text.replace(text.find("\"minibatch\""), 11, "\"hogwild\"");
    const SpecFile spec(text);
    REQUIRE(spec.run().code == 0);
    std::filesystem::path stale;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(spec.out())) {
        if (entry.path().filename() == "staleness.csv") stale = entry.path().parent_path();
    }
    REQUIRE_FALSE(stale.empty());
    for (const char* file : {"trace.csv", "manifest.json", "staleness.csv", "row.csv"}) {
        for (const bool emptied : {false, true}) {
            CAPTURE(file);
            CAPTURE(emptied);
            std::filesystem::remove(stale / file);
            if (emptied) std::ofstream{stale / file};
            const Finished dry = spec.run({"--dry-run"});
            CHECK_MESSAGE(dry.out.find("of which 7 are done") != std::string::npos, dry.out);
            const Finished again = spec.run();
            CHECK(again.code == 0);
            CHECK_MESSAGE(again.error.find(std::string(" is run again: ") + file) != std::string::npos, again.error);
            CHECK(std::filesystem::file_size(stale / file) > 0);
            CHECK(spec.run().error.find("is run again") == std::string::npos);
        }
    }
}

TEST_CASE("a log has a line a run, and from the second on the time that is left") {
    const SpecFile spec;
    const Finished done = spec.run();
    std::istringstream log(done.error);
    std::size_t runs = 0, kinds = 0;
    for (std::string line; std::getline(log, line);) {
        if (!line.starts_with('[')) continue;
        const bool first = line.starts_with("[1/4] ");
        kinds += first ? 1 : 0;
        ++runs;
        CHECK_MESSAGE((line.find(" left: ") == std::string::npos) == first, line);
        CHECK_MESSAGE(line.find(": done, ") != std::string::npos, line);
    }
    CHECK(runs == 8);
    CHECK(kinds == 2); // trials, then final runs
    CHECK(spec.run({"--rerun", "all", "--quiet"}).error.empty());
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

TEST_CASE("where no trial reaches a score, tuning takes the step of the best score, not the one that overfits most") {
    const SpecFile spec(R"(
[run]
problem = "factorization"
data = "synthetic:netflix/10000"
no-cache = true
epochs = 30
rank = 8
l2 = 0
scheme = "serial"
[seeds]
final = "1"
tuning = "11"
[targets]
target = "test_rmse:0.001"
[tuning]
step-scale = [0.3, 3]
)");
    REQUIRE(spec.run().code == 0);
    const auto trials = columns(spec.out() / "tuning" / "summary.csv", {"step_size", "train_loss", "test_rmse"});
    const auto choice = columns(spec.out() / "choices.csv", {"step_size", "score"});
    REQUIRE(trials.size() == 2);
    const std::size_t best = std::stod(trials[0][2]) < std::stod(trials[1][2]) ? 0 : 1;
    CHECK(std::stod(trials[best][1]) > std::stod(trials[1 - best][1])); // the other fits its training ratings better
    CHECK(choice.at(0) == std::vector{trials[best][0], trials[best][2]});
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

TEST_CASE("--rerun stale runs again what another build measured, once") {
    const SpecFile spec;
    CHECK(spec.run().code == 0);
    const auto journal = spec.out() / "journal";
    const std::string before = text_of(journal);
    CHECK(spec.run({"--rerun", "stale"}).code == 0);
    CHECK(text_of(journal) == before);

    std::istringstream lines(before);
    std::ofstream file(journal, std::ios::binary);
    std::set<std::string> stale; // final runs of seed 1
    for (std::string line; std::getline(lines, line);) {
        Json record = checked_record(line + '\n').value();
        if (record.value("run", "").find("-s1-") != std::string::npos) {
            record["build"] = "another";
            stale.insert(record["key"]);
        }
        file << checked_line(record);
    }
    file.close();
    REQUIRE(stale.size() == 2);
    CHECK(spec.run().code == 0);
    for (const auto& [key, count] : ends(journal)) CHECK(count == 1);
    for (int i = 0; i < 2; ++i) {
        CHECK(spec.run({"--rerun", "stale"}).code == 0);
        for (const auto& [key, count] : ends(journal)) CHECK(count == (stale.contains(key) ? 2 : 1));
    }
    CHECK(losses(spec.out() / "summary.csv") == expected());
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

    const SpecFile slow(std::string(kLong) + "[seeds]\nfinal=1");
    const Finished late = slow.run({"--timeout", "0.2"});
    CHECK(late.code == 1);
    CHECK_MESSAGE(late.error.find("failed, ") != std::string::npos, late.error);
    CHECK(text_of(slow.out() / "summary.csv").find("it took longer than 200 ms") != std::string::npos);
    CHECK(slow.run({"--rerun", "failed", "--set", "run.epochs=1"}).code == 0);
}

TEST_CASE(
    "an optimum stays what it was in the folder: no run is repeated for another, and later ones have its target") {
    const std::string data = "synthetic:rows=300,features=40,nonzeros=5";
    const SpecFile spec("[run]\ndata='" + data +
                        "'\nno-cache=true\nepochs=1\nl2=0.01\nscheme='serial'\nproblem='hinge'\n[seeds]\nfinal='1..2'\n"
                        "[targets]\ntarget='gap:0.5'");
    CHECK(spec.run().code == 0);
    const std::string journal = text_of(spec.out() / "journal"), run = first_run(spec);
    const OptimumKey key{hash_of(load(data, {}).sparse()), "hinge", 0.01};
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
    CHECK(spec.run({"--rerun", "some"}).error.find("--rerun cannot be 'some'") != std::string::npos);
    CHECK(spec.run({"--timeout", "-1"}).error.find("--timeout cannot be '-1'") != std::string::npos);
    const SpecFile none("[run]\ndata='x'\nscheme='serial'\n[[exclude]]\nscheme='serial'");
    CHECK(none.run().error.find("nothing is left to run") != std::string::npos);
    const SpecFile two("[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'");
    CHECK(two.run().error.find("a combination is more than one run") != std::string::npos);
    std::filesystem::create_directory(spec.scratch.path / "full");
    std::ofstream(spec.scratch.path / "full" / "summary.csv") << "x\n";
    CHECK(call({"sweep", spec.file.string(), "-o", "full"}, spec.scratch.path)
              .error.find("full holds results that are no sweep's") != std::string::npos);
}

TEST_CASE("a sweep that halves and screens gives every combination as many trials, and final runs to the best of each "
          "kind, of whose candidates as many as it says") {
    const SpecFile spec(R"(
[run]
data = "synthetic:rows=300,features=40,nonzeros=5"
no-cache = true
epochs = 2
observe = 1
[axes]
problem = ["hinge", "logistic"]
scheme = ["serial", "minibatch", "local-sgd"]
threads = [1]
[seeds]
final = "1..2"
tuning = "11..13"
[targets]
target = 1e-6
[tuning]
candidates = 5
halve = true
step-scale = [0.5, 2]
batch = [1, 2, 4]
[screen]
sync = 1
[finalists]
serial = 2
)");
    const Finished planned = spec.run({"--dry-run"});
    CHECK(planned.out.find("6 combinations, 60 trials and at most 16 final runs") != std::string::npos);
    const Finished first = spec.run();
    CHECK_MESSAGE(first.code == 0, first.error);
    for (const auto& row : columns(spec.out() / "choices.csv", {"trials"})) CHECK(row.at(0) == "10"); // 5, 3, 2
    CHECK(columns(spec.out() / "choices.csv", {"scheme"}).size() == 6);
    CHECK(columns(spec.out() / "tuning" / "summary.csv", {"run"}).size() == 60);
    std::map<std::string, std::set<std::string>> finals; // of a problem
    std::map<std::string, std::set<std::string>> steps;  // of serial code
    for (const auto& row : columns(spec.out() / "summary.csv", {"problem", "scheme", "step_size"})) {
        finals[row.at(0)].insert(row.at(1));
        if (row.at(1) == "serial") steps[row.at(0)].insert(row.at(2));
    }
    for (const char* problem : {"hinge", "logistic"}) {
        CHECK(finals[problem].size() == 2);
        CHECK(steps[problem].size() == 2);
    }
    CHECK(columns(spec.out() / "summary.csv", {"run"}).size() == 12); // two of serial code, one of the other, two seeds
    CHECK(spec.run({"--dry-run"}).out.find("of which 72 are done") != std::string::npos);
    CHECK(first.error.find("screened: problem hinge") != std::string::npos);
    const std::string journal = text_of(spec.out() / "journal");
    CHECK(spec.run().code == 0);
    CHECK(text_of(spec.out() / "journal") == journal);
}
