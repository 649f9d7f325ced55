// Sweeps that somebody stops, and runs that somebody ends.
#include "tests/experiments/sweep/sweeps.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace hogwild;

namespace {

/// The trial of a sweep on a terminal, once a run of `words` has been worked on for a while.
pid_t trial_of(Child& sweep, const std::string& words) {
    REQUIRE(sweep.wait_for_error(words)); // drawn a quarter of a second after the run began
    pid_t trial = 0;
    while (trial == 0) trial = child_of(sweep.pid());
    return trial;
}

} // namespace

TEST_CASE("after SIGINT, SIGTERM or SIGHUP the same command goes on, and what was done is not done again") {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const SpecFile spec;
        {
            Child child = spec.start();
            CHECK(child.wait_for_error("[2/4]"));
            child.interrupt(signal);
            CHECK(child.finish() == 130);
            CHECK(child.error.find("trials are left, and then the final runs; the same command goes on with them") !=
                  std::string::npos);
        }
        CHECK(spec.run().code == 0);
        check_whole(spec);
    }
}

TEST_CASE("--stop-after begins no seed later, but always one, whole, and the same command goes on to the end") {
    const SpecFile spec; // four trials on one seed, two final runs on each of two
    for (const std::size_t done : {4u, 6u}) {
        CHECK(spec.run({"--stop-after", "1ms"}).code == 130);
        CHECK(ends(spec.out() / "journal").size() == done);
    }
    CHECK(spec.run({"--stop-after", "1ms"}).code == 0);
    check_whole(spec);
    CHECK(SpecFile().run({"--stop-after", "soon"}).code == 2);
}

TEST_CASE("a folder has one runner at a time, whose end frees it however it ends") {
    const SpecFile spec(kLong);
    Child first = spec.start();
    CHECK(first.wait_for_error("data: "));
    const Finished second = spec.run();
    CHECK(second.code == 2);
    CHECK(second.error.find("out is being worked on (another `hogwild` has locked it)") != std::string::npos);
    first.kill_now();
    CHECK(spec.run({"--set", "run.epochs=1"}).code == 0);
}

TEST_CASE("a run whose process is killed costs that run alone") {
    const SpecFile spec(std::string(kLong) + "[axes]\nscheme=['serial','minibatch']\n[seeds]\nfinal='1..2'\n"
                                             "[[override]]\nwhen={scheme='minibatch'}\nset={epochs=1}\n");
    Child child = spec.start({}, Child::ErrorStream::kTerminal);
    for (int seed = 1; seed <= 2; ++seed) {
        REQUIRE(kill(trial_of(child, "hinge serial"), SIGKILL) == 0);
        CHECK(child.wait_for_error("its process was ended by signal 9 (Killed)"));
        child.error.clear();
    }
    CHECK(child.finish() == 1);
    const auto rows = losses(spec.out() / "summary.csv");
    CHECK(rows.size() == 4);
    for (const auto& row_of : rows) {
        const std::string &run = row_of.first, &said = row_of.second;
        const bool killed = run.starts_with("serial");
        CHECK_MESSAGE(said.find(killed ? "status=failed" : "status=done") != std::string::npos, run);
        const std::string row = text_of(spec.out() / run / "row.csv");
        CHECK((row.find("its process was ended by signal 9 (Killed)") != std::string::npos) == killed);
    }
}

TEST_CASE("a run dies with its runner, even by kill -9") {
    const SpecFile spec(kLong);
    Child child = spec.start({}, Child::ErrorStream::kTerminal);
    const pid_t trial = trial_of(child, "hinge serial");
    const int watched = static_cast<int>(syscall(SYS_pidfd_open, trial, 0));
    REQUIRE(watched >= 0);
    child.interrupt(SIGKILL);
    pollfd gone{watched, POLLIN, 0};
    const int ended = poll(&gone, 1, 20'000);
    CHECK(ended == 1);
    if (ended != 1) kill(trial, SIGKILL);
    close(watched);
    CHECK(child.finish() == 1000 + SIGKILL);
}

TEST_CASE("--fail-fast stops at the first run that fails; without it, or with --keep-going, a sweep keeps going") {
    for (const std::string option : {"--fail-fast", "--keep-going", ""}) {
        const bool fail_fast = option == "--fail-fast";
        const SpecFile spec(std::string(kLong) + "[seeds]\nfinal='1..3'\n");
        std::vector<std::string> more{"--timeout", "0.05"};
        if (!option.empty()) more.push_back(option);
        const Finished done = spec.run(more);
        CHECK(done.code == 1);
        CHECK(ends(spec.out() / "journal").size() == (fail_fast ? 1 : 3));
        const std::string left = "2 of 3 runs are left; the same command goes on with them";
        CHECK((done.error.find(left) != std::string::npos) == fail_fast);
    }
    CHECK(SpecFile().run({"--fail-fast", "--keep-going"}).code == 2);
}

TEST_CASE("a table that a stopped sweep writes leaves out what was taken away") {
    const SpecFile spec(std::string(kLong) + "[seeds]\nfinal='1..3'\n");
    REQUIRE(spec.run({"--timeout", "0.05"}).code == 1);
    for (const auto& row : losses(spec.out() / "summary.csv")) std::filesystem::remove_all(spec.out() / row.first);
    std::filesystem::remove(spec.out() / "summary.csv");
    const Finished stopped = spec.run({"--timeout", "0.05", "--fail-fast"});
    CHECK_MESSAGE(stopped.error.find("2 of 3 runs are left") != std::string::npos, stopped.error);
    CHECK(stopped.error.find("is no row of") == std::string::npos);
    CHECK(losses(spec.out() / "summary.csv").size() == 1);
}
