// That nothing is lost where a sweep is killed at any of its writes or moments, or its disk refuses them.
#include "tests/experiments/faults.h"
#include "tests/experiments/sweep/sweeps.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace hogwild;

namespace {

/// Two trials, a final run: all kinds of files that a sweep writes, and few writes, each of which is a start below.
const std::string kFew = R"(
[run]
data = "synthetic:rows=300,features=40,nonzeros=5"
no-cache = true
epochs = 2
observe = 1
scheme = "serial"
[seeds]
final = 1
tuning = "11"
[targets]
target = 1e-6
[tuning]
step-scale = [0.5, 2]
)";

void check_few(const SpecFile& spec) { check_whole(spec, kFew, 3); }

/// Runs the sweep with a fault; its exit code.
int run_with(const SpecFile& spec, const std::string& fault, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = spec.words({"--quiet"});
    words.insert(words.end(), more.begin(), more.end());
    return call_with(fault, words, spec.scratch.path).code;
}

/// Kills sweeps a hundred times, each until it comes to its end; fault(n) says where its n-th start is killed, from 0.
template <class Fault>
void kill_a_hundred_times(const Fault& fault) {
    for (int kills = 0; kills < 100;) {
        const SpecFile spec(kFew);
        for (int starts = 0;; ++starts) {
            const int code = run_with(spec, fault(starts));
            if (code == 0) break;
            REQUIRE(code == 1000 + SIGKILL);
            ++kills;
        }
        check_few(spec);
    }
}

} // namespace

TEST_CASE("killed at any of its writes, a hundred times, a sweep loses no finished run and repeats none") {
    if (no_faults()) return;
    std::mt19937_64 random(5);
    kill_a_hundred_times([&](int) { return "kill:" + std::to_string(1 + random() % 40); });
}

TEST_CASE("killed at any moment, a hundred times, a sweep loses no finished run and repeats none") {
    if (no_faults()) return;
    std::mt19937_64 random(7);
    kill_a_hundred_times(
        [&](int starts) { // later and later: on a slow machine nothing would get done in few milliseconds
            return "after:" +
                   std::to_string(1 + random() % static_cast<unsigned>(200 * std::pow(1.5, std::min(starts, 20))));
        });
}

TEST_CASE("where every k-th write, flush or rename fails, or writes fall short, a sweep says so or does it all") {
    if (no_faults()) return;
    for (const std::string mode : {"every:", "short:"}) {
        for (const int k : {1, 2, 3, 5, 8, 13, 21, 34, 55}) {
            const SpecFile spec(kFew);
            CAPTURE(mode);
            CAPTURE(k);
            const int code = run_with(spec, mode + std::to_string(k));
            CHECK((code == 0 || code == 74));
            if (mode == "every:") CHECK(code == 74);
            CHECK(spec.run({"--quiet"}).code == 0);
            check_few(spec);
        }
    }
}

TEST_CASE("a disk that is full from any write on stops a sweep with exit 74, and it goes on once there is room") {
    if (no_faults()) return;
    for (int call = 1, code = 74; code != 0; call += 3) {
        const SpecFile spec(kFew);
        CAPTURE(call);
        code = run_with(spec, "fail:" + std::to_string(call));
        if (code != 0) CHECK(code == 74);
        CHECK(spec.run({"--quiet"}).code == 0);
        check_few(spec);
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

TEST_CASE("killed at any write of running a done run again, it is queued again unless its new folder was there") {
    if (no_faults()) return;
    const SpecFile spec(
        "[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'\nno-cache=true\nepochs=1\nscheme='serial'\n"
        "[seeds]\nfinal=1");
    REQUIRE(spec.run({"--quiet"}).code == 0);
    const auto journal = spec.out() / "journal", summary = spec.out() / "summary.csv";
    const auto manifest = spec.out() / first_run(spec) / "manifest.json";
    const auto begun = [&] { return ends(journal, "begin").begin()->second; };
    const auto ended = [&] { return ends(journal).begin()->second; };
    int adopted = 0, queued = 0;
    for (int call = 1, code = -1; code != 0; ++call) {
        CAPTURE(call);
        const std::string table = text_of(summary), old = text_of(manifest);
        const int begun_before = begun(), ended_before = ended();
        code = run_with(spec, "kill:" + std::to_string(call), {"--rerun", "all"});
        CHECK(losses(summary).size() == 1);
        const bool is_open = begun() > begun_before && ended() == ended_before, replaced = text_of(manifest) != old;
        if (is_open && !replaced) CHECK(text_of(summary) == table);
        const int known = begun();
        CHECK(spec.run({"--quiet"}).code == 0);
        CHECK(begun() == known + (is_open && !replaced ? 1 : 0));
        CHECK(ended() == ended_before + (begun() > begun_before ? 1 : 0));
        const std::string row = text_of(spec.out() / first_run(spec) / "row.csv");
        CHECK(text_of(summary) == row);
        adopted += is_open && replaced ? 1 : 0;
        queued += is_open && !replaced ? 1 : 0;
        REQUIRE(call < 1'000);
    }
    CHECK(adopted > 0);
    CHECK(queued > 0);
}
