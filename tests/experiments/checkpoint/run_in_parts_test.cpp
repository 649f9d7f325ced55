// A run that is killed, interrupted or out of disk, and gone on with by the same command.
#include "engine/plan/names.h"
#include "experiments/files/folder_lock.h"
#include "experiments/text/json.h"
#include "tests/experiments/faults.h"
#include "tests/experiments/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <sched.h>
#include <sys/resource.h>

namespace hogwild {
namespace {

const std::vector<std::string> kParts{"--checkpoint", "every", "1ms", "--resume"};

std::vector<std::string> words(const std::vector<std::string>& more, const std::string& scheme = "serial") {
    std::vector<std::string> words{"run",     "--data",   kTiny, "--no-cache", "--no-plot", "--no-warm-up",
                                   "--quiet", "--epochs", "3",   "--observe",  "4",         "--step",
                                   "backoff", "-o",       "out", "--save",     "w.npy",     "--scheme",
                                   scheme};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// The only run's folder in `folder`/out.
fs::path run_in(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder / "out")) {
        if (entry.is_directory()) return entry.path();
    }
    FAIL("no run");
    return {};
}

/// trace.csv without its first column, the clock's.
std::string losses_in(const fs::path& folder) {
    std::istringstream trace(text_of(run_in(folder) / "trace.csv"));
    std::string losses;
    for (std::string line; std::getline(trace, line);) losses += line.substr(line.find(',')) + '\n';
    return losses;
}

/// Processes that are started meanwhile have one core.
class OneCore {
public:
    OneCore() {
        REQUIRE(sched_getaffinity(0, sizeof usual_, &usual_) == 0);
        cpu_set_t one;
        CPU_ZERO(&one);
        int first = 0;
        while (!CPU_ISSET(first, &usual_)) ++first;
        CPU_SET(first, &one);
        REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    }
    ~OneCore() { sched_setaffinity(0, sizeof usual_, &usual_); }
    OneCore(const OneCore&) = delete;
    OneCore& operator=(const OneCore&) = delete;

private:
    cpu_set_t usual_;
};

Json manifest_in(const fs::path& folder) { return json_of(text_of(run_in(folder) / "manifest.json")); }

TEST_CASE("a run killed at any write, and gone on with, ends as one that was not") {
    if (no_faults()) return;
    const Scratch whole;
    REQUIRE(call(words({}), whole.path).code == 0);
    CHECK_FALSE(manifest_in(whole.path).contains("later_parts"));
    std::size_t killed = 0, parts = 0;
    for (int at = 1;; ++at) {
        const Scratch scratch;
        const Finished first = call_with("kill:" + std::to_string(at), words(kParts), scratch.path);
        if (first.code == 0) break; // it has no such write
        REQUIRE(first.code == 1000 + SIGKILL);
        ++killed;
        const Finished rest = call(words(kParts), scratch.path);
        REQUIRE_MESSAGE(rest.code == 0, rest.error);
        CHECK(lines(text_of(scratch.path / "out" / "summary.csv")) == 2);
        CHECK(losses_in(scratch.path) == losses_in(whole.path));
        CHECK_FALSE(fs::exists(scratch.path / "out" / "checkpoint"));
        CHECK(text_of(scratch.path / "w.npy") == text_of(whole.path / "w.npy"));
        parts += manifest_in(scratch.path).contains("later_parts");
    }
    CHECK(killed > 24); // 12 snapshots, each written and flushed
    CHECK(parts > 20);
}

TEST_CASE("a run of any problem that was killed and gone on with ends as one that was not") {
    if (no_faults()) return;
    struct Case {
        std::string_view problem;
        std::string data;
        std::vector<std::string> more;
    };
    const std::string network = "conv 3 3 relu; batchnorm; maxpool 2; dropout 0.2; dense 10";
    const std::vector<Case> cases{
        {"hinge", kTiny, {"--l2", "0.01"}},
        {"logistic", kTiny, {}},
        {"squared", kTiny, {"--real-labels"}},
        {"factorization", "synthetic:tiny", {}},
        {"cut", "synthetic:grid=12x12", {}},
        {"skipgram", "synthetic:words,tokens=3000,words=60,topics=3", {"--dim", "8"}},
        {"network", "synthetic:tiny", {"--network", network, "--batch", "4", "--step", "linear", "--warm-up", "1.5"}},
    };
    for (const std::string_view problem : known_names("problem"))
        CHECK_MESSAGE(std::ranges::find(cases, problem, &Case::problem) != cases.end(), problem);
    for (const Case& each : cases) {
        CAPTURE(each.problem);
        const auto command = [&](const std::string& scheme, const std::vector<std::string>& parts) {
            std::vector<std::string> words{"run",      "--problem",  std::string(each.problem),
                                           "--data",   each.data,    "--no-plot",
                                           "--quiet",  "--no-cache", "--no-warm-up",
                                           "--epochs", "3",          "--observe",
                                           "4",        "-o",         "out",
                                           "--save",   "w.npy",      "--threads",
                                           "1",        "--scheme",   scheme};
            words.insert(words.end(), each.more.begin(), each.more.end());
            words.insert(words.end(), parts.begin(), parts.end());
            return words;
        };
        for (const char* scheme : {"serial", "hogwild"}) {
            CAPTURE(scheme);
            const Scratch whole, scratch;
            REQUIRE(call(command(scheme, {"--hot-updates", "direct"}), whole.path).code == 0);
            for (const char* at : {"kill:20", "kill:14"}) { // the second part as well
                REQUIRE(call_with(at, command(scheme, kParts), scratch.path).code == 1000 + SIGKILL);
            }
            const Finished rest = call(command(scheme, kParts), scratch.path);
            REQUIRE_MESSAGE(rest.code == 0, rest.error);
            CHECK(manifest_in(scratch.path).at("later_parts").size() == 2);
            CHECK(losses_in(scratch.path) == losses_in(whole.path));
            CHECK(text_of(scratch.path / "w.npy") == text_of(whole.path / "w.npy"));
        }
    }
}

TEST_CASE("the manifest of a run in parts says from where it went on, and what is unsure there") {
    if (no_faults()) return;
    const Scratch scratch;
    std::vector<std::string> command = words(kParts, "hogwild");
    command.insert(command.end(), {"--threads", "2", "--pin", "none", "--oversubscribe"});
    for (const char* at : {"kill:20", "kill:12"}) {
        REQUIRE(call_with(at, command, scratch.path).code == 1000 + SIGKILL);
    }
    const Finished rest = call(command, scratch.path);
    REQUIRE_MESSAGE(rest.code == 0, rest.error);
    const Json parts = manifest_in(scratch.path).at("later_parts");
    REQUIRE(parts.size() == 2); // nothing was chosen anew
    CHECK(holds(manifest_in(scratch.path).at("hot_updates_auto").get<std::string>(), "overridden by --checkpoint: "));
    for (const Json& part : parts) {
        CHECK(part.at("updates").get<int>() > 0);
        CHECK(part.at("updates").get<int>() < 900);
        CHECK(part.at("seconds").get<double>() > 0);
        CHECK(part.at("unsure_samples").get<int>() >= 5 * 4); // chunks of four
        CHECK(part.at("unsure_samples").get<int>() < 900);
        CHECK(part.at("before").at("commit") == manifest_in(scratch.path).at("build").at("commit"));
        CHECK(part.at("before").at("cpu") == manifest_in(scratch.path).at("machine").at("cpu"));
    }
    CHECK(parts[1].at("updates").get<int>() > parts[0].at("updates").get<int>());
}

TEST_CASE("an interrupted run keeps its checkpoint and its row, which the next part's replaces") {
    const Scratch scratch;
    std::vector<std::string> command{
        program(),   "run",       "--data", kTiny,  "--no-cache", "--no-plot",    "--scheme",        "hogwild",
        "--threads", "2",         "--pin",  "none", "--delay",    "0.01",         "--oversubscribe", "--epochs",
        "1000",      "--observe", "100",    "-o",   "out",        "--checkpoint", "every",           "10ms"};
    for (const char* resumed : {"checkpoint: out/checkpoint", "resumed: part 2 goes on after "}) {
        Child child(command, scratch.path, nullptr, Child::ErrorStream::kTerminal);
        REQUIRE(child.wait_for_error("[1/1] hinge hogwild racy")); // progress of a run that would take half an hour
        child.interrupt(SIGINT);
        CHECK(child.finish() == 130);
        CHECK_MESSAGE(holds(child.error, resumed), child.error);
        CHECK(lines(text_of(scratch.path / "out" / "summary.csv")) == 2);
        CHECK(holds(text_of(scratch.path / "out" / "summary.csv"), ",interrupted,"));
        CHECK(fs::exists(scratch.path / "out" / "checkpoint"));
        command.push_back("--resume");
    }
}

TEST_CASE("an interrupt of the evaluation of a run ends it: what was evaluated is kept, the rest said, the checkpoint "
          "stays") {
    const Scratch scratch;
    const OneCore slow; // for what evaluation needs the longest
    Child child({program(), "run", "--data", "synthetic:rows=30000,features=1000,nonzeros=100", "--no-cache",
                 "--no-plot", "--no-warm-up", "--scheme", "serial", "--epochs", "25", "--observe", "80", "-o", "out",
                 "--checkpoint", "every", "10ms"},
                scratch.path, nullptr, Child::ErrorStream::kTerminal);
    REQUIRE(child.wait_for_error("evaluating what was observed"));
    child.interrupt(SIGINT);
    CHECK(child.finish() == 130);
    const fs::path out = scratch.path / "out";
    const std::size_t kept = lines(text_of(run_in(scratch.path) / "trace.csv")) - 1; // below its head
    CHECK(kept >= 2);
    CHECK(kept < 2'001);
    const std::string said =
        "interrupted,stopped by a signal; " + std::to_string(2'001 - kept) + " of 2001 observations were not evaluated";
    CHECK_MESSAGE(holds(text_of(out / "summary.csv"), said), text_of(out / "summary.csv"));
    CHECK(fs::exists(out / "checkpoint"));
}

TEST_CASE("how often checkpoints are written is two words, or one that was quoted") {
    for (const std::vector<std::string>& often : {std::vector<std::string>{"every", "1ms"}, {"every 1ms"}}) {
        const Scratch scratch;
        std::vector<std::string> more{"--scheme", "serial", "--checkpoint"};
        more.insert(more.end(), often.begin(), often.end());
        const Finished done = run_tiny(scratch.path, more);
        CHECK(done.code == 0);
        CHECK(holds(done.error, "checkpoint: out/checkpoint, what was observed, every 1 ms"));
    }
}

TEST_CASE("a run that has come to its end is not run again") {
    const Scratch scratch;
    REQUIRE(call(words(kParts), scratch.path).code == 0);
    const std::string summary = text_of(scratch.path / "out" / "summary.csv");
    const Finished again = call(words(kParts), scratch.path);
    CHECK(again.code == 0);
    CHECK(holds(again.error, "out: nothing to resume (its run has come to its end)"));
    CHECK(text_of(scratch.path / "out" / "summary.csv") == summary);
    CHECK(call(words({"--checkpoint", "every", "1s"}), scratch.path).code == 2); // never written over without --resume
}

TEST_CASE("a run that lacks one of its files has not come to its end: it is refused, and the file named") {
    for (const char* file : {"trace.csv", "manifest.json"}) {
        for (const bool emptied : {false, true}) {
            CAPTURE(file);
            CAPTURE(emptied);
            const Scratch scratch;
            REQUIRE(call(words(kParts), scratch.path).code == 0);
            const fs::path lacking = run_in(scratch.path) / file;
            fs::remove(lacking);
            if (emptied) std::ofstream{lacking};
            const Finished refused = call(words(kParts), scratch.path);
            CHECK(refused.code == 2);
            const std::string said = std::string("/") + file + (emptied ? " is empty" : " is missing");
            CHECK_MESSAGE(holds(refused.error, said), refused.error);
            CHECK_FALSE(holds(refused.error, "nothing to resume"));
        }
    }
}

TEST_CASE("a run that has come to its end ends once more as it did") {
    const Scratch scratch;
    const auto code = [&](const std::string& out, const std::vector<std::string>& more) {
        std::vector<std::string> all{"run",      "--data", kTiny,      "--no-plot", "--no-warm-up", "--quiet",
                                     "--epochs", "3",      "--scheme", "serial",    "-o",           out};
        all.insert(all.end(), more.begin(), more.end());
        return call(all, scratch.path).code;
    };
    CHECK(code("missed", {"--target", "1e-9"}) == 4);
    CHECK(code("missed", {"--target", "1e-9", "--resume"}) == 4);
    CHECK(code("reached", {"--target", "0.9"}) == 0);
    CHECK(code("reached", {"--target", "0.9", "--resume"}) == 0);
    CHECK(code("diverged", {"--problem", "squared", "--l2", "0", "--step-size", "1e4"}) == 3);
    CHECK(code("diverged", {"--problem", "squared", "--l2", "0", "--step-size", "1e4", "--resume"}) == 3);
}

TEST_CASE("a file is taken for a run's weights only where it holds them") {
    const Scratch scratch;
    REQUIRE(call(words(kParts), scratch.path).code == 0);
    const std::string weights = text_of(scratch.path / "w.npy");
    CHECK(call(words(kParts), scratch.path).code == 0);
    for (const std::string& other : {std::string("of another run"), std::string(), weights + ' '}) {
        std::ofstream(scratch.path / "w.npy", std::ios::binary) << other;
        const Finished refused = call(words(kParts), scratch.path);
        CHECK(refused.code == 2);
        CHECK_MESSAGE(holds(refused.error, "what that file holds is not known to be its weights"), refused.error);
        CHECK(text_of(scratch.path / "w.npy") == other);
    }
    fs::remove(scratch.path / "w.npy");
    const Finished refused = call(words(kParts), scratch.path);
    CHECK(refused.code == 2);
    CHECK_MESSAGE(holds(refused.error, "its weights were not kept"), refused.error);
}

TEST_CASE("results of another run, or of one that was interrupted, are no end of this one") {
    const Scratch scratch;
    REQUIRE(call(words({}), scratch.path).code == 0);
    std::vector<std::string> other = words(kParts);
    other.insert(other.end(), {"--l2", "0.5"});
    const Finished refused = call(other, scratch.path);
    CHECK(refused.code == 2);
    CHECK(holds(refused.error, "out already holds results"));
    CHECK(call(words(kParts), scratch.path).code == 0); // this run's
    std::string summary = text_of(scratch.path / "out" / "summary.csv");
    summary.replace(summary.find(",done,"), 6, ",interrupted,");
    std::ofstream(scratch.path / "out" / "summary.csv") << summary;
    CHECK(call(words(kParts), scratch.path).code == 2);
}

TEST_CASE("a run that fails keeps its checkpoint") {
    if (no_faults()) return;
    const Scratch scratch;
    const std::vector<std::string> command = words(
        {"--checkpoint", "every", "1ms", "--resume", "--threads", "8", "--oversubscribe", "--pin", "none"}, "hogwild");
    REQUIRE(call_with("kill:20", command, scratch.path).code == 1000 + SIGKILL);
    std::string line = "ulimit -v 60000; exec " + program();
    for (const std::string& word : command) line += " " + word;
    {
        Child child({"/bin/sh", "-c", line}, scratch.path); // no memory for eight threads' stacks
        CHECK(child.finish() != 0);
        CHECK(fs::exists(scratch.path / "out" / "checkpoint"));
    }
    const Finished rest = call(command, scratch.path);
    CHECK_MESSAGE(rest.code == 0, rest.error);
    CHECK(holds(text_of(scratch.path / "out" / "summary.csv"), ",done,"));
    CHECK(manifest_in(scratch.path).contains("later_parts"));
}

TEST_CASE("a folder with a checkpoint takes --resume alone, and one process at a time") {
    if (no_faults()) return;
    const Scratch scratch;
    REQUIRE(call_with("kill:20", words(kParts), scratch.path).code == 1000 + SIGKILL);
    const std::string checkpoint = text_of(scratch.path / "out" / "checkpoint");
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--checkpoint", "every", "1s"}}) {
        const Finished refused = call(words(more), scratch.path);
        CHECK(refused.code == 2);
        CHECK(holds(refused.error, "out holds the checkpoint of a run (it was stopped before its end); add --resume"));
    }
    {
        const FolderLock lock(scratch.path / "out");
        const Finished refused = call(words(kParts), scratch.path);
        CHECK(refused.code == 2);
        CHECK(holds(refused.error, "out is being worked on"));
    }
    CHECK(text_of(scratch.path / "out" / "checkpoint") == checkpoint);
    CHECK(call(words({"--resume"}), scratch.path).code == 0);
    CHECK_FALSE(fs::exists(scratch.path / "out" / "lock"));
}

TEST_CASE("a checkpoint of another command is refused, and stays") {
    if (no_faults()) return;
    const Scratch scratch;
    REQUIRE(call_with("kill:20", words(kParts), scratch.path).code == 1000 + SIGKILL);
    const std::string checkpoint = text_of(scratch.path / "out" / "checkpoint");
    std::vector<std::string> other = words(kParts);
    other.insert(other.end(), {"--l2", "0.5"});
    const Finished refused = call(other, scratch.path);
    CHECK(refused.code == 2);
    CHECK(holds(refused.error, "out/checkpoint cannot be gone on with (it is of another run: l2 was "));
    CHECK(text_of(scratch.path / "out" / "checkpoint") == checkpoint);
}

TEST_CASE("a full disk ends the checkpoints and not the run, with exit code 74") {
    const Scratch scratch;
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{6 * 1024, before.rlim_max}; // the checkpoint passes it, all other files do not
    setrlimit(RLIMIT_FSIZE, &small);
    const Finished done =
        run_tiny(scratch.path, {"--scheme", "serial", "--no-warm-up", "--observe", "8", "--checkpoint", "every", "1ms"},
                 "synthetic:rows=64,features=400,nonzeros=2");
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(done.code == 74);
    CHECK(holds(done.error, "no more checkpoints: cannot append to out/checkpoint"));
    CHECK(holds(text_of(scratch.path / "out" / "summary.csv"), ",done,"));
}

TEST_CASE("what has no checkpoints is refused before anything is written") {
    const Scratch scratch;
    const auto refused = [&](const std::vector<std::string>& more, const char* why) {
        const Finished done = run_tiny(scratch.path, more);
        CHECK(done.code == 2);
        CHECK_MESSAGE(holds(done.error, why), done.error);
        CHECK_FALSE(fs::exists(scratch.path / "out"));
    };
    refused({"--checkpoint", "every", "1s", "--seed", "1..3", "--scheme", "serial"}, "there are 3 runs");
    refused({"--checkpoint", "every", "1s", "--telemetry", "sampled", "--scheme", "serial"}, "what one process saw");
    refused({"--checkpoint", "each", "1s"},
            "--checkpoint cannot be 'each 1s' (it says how often the run is made safe)");
    refused({"--checkpoint", "every", "soon"}, "--checkpoint every cannot be 'soon' (it is no time above 0)");
    refused({"--checkpoint", "every"}, "--checkpoint cannot be 'every' (it says how often");
    refused({"--checkpoint", "1s"}, "--checkpoint cannot be '1s' (it says how often");
    refused({"--checkpoint", "every soon"}, "--checkpoint every cannot be 'soon' (it is no time above 0)");
    const std::vector<std::string> automatic{"--checkpoint", "every", "1s", "--scheme", "hogwild", "--threads", "1"};
    const auto with = [&](const char* updates) {
        std::vector<std::string> words = automatic;
        words.insert(words.end(), {"--hot-updates", updates});
        return words;
    };
    refused(with("auto"), "; use --hot-updates direct");
    CHECK(run_tiny(scratch.path, with("direct")).code == 0); // what was said to try
    fs::remove_all(scratch.path / "out");
    const Finished nameless = call({"run", "--data", kTiny, "--resume"}, scratch.path);
    CHECK(nameless.code == 2);
    CHECK(holds(nameless.error, "--resume does not know the run (it goes on in the folder of an earlier one)"));
}

} // namespace
} // namespace hogwild
