// What was measured stays, whatever ends the program: a full disk, a signal, kill -9.
#include "tests/experiments/program.h"
#include "tests/full_device.h"

#include "experiments/folder/result.h"
#include "experiments/text/json.h"

#include <doctest/doctest.h>

#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

namespace hogwild {
namespace {

TEST_CASE("standard output on a full disk is exit code 74, the files are whole") {
    const Scratch scratch;
    const auto full = full_device(scratch.path);
    if (!full) return;
    const Finished done = run_tiny(scratch.path, {"--scheme", "serial"}, kTiny, full->c_str());
    CHECK(done.code == 74);
    CHECK(holds(done.error, "standard output"));
    CHECK(lines(text_of(scratch.path / "out" / "summary.csv")) == 2);
}

TEST_CASE("an output folder that cannot be made is exit code 74") {
    const Scratch scratch;
    std::ofstream(scratch.path / "file") << "mine";
    const Finished done =
        call({"run", "--data", kTiny, "--scheme", "serial", "--epochs", "1", "-o", "file"}, scratch.path);
    CHECK(done.code == 74);
    CHECK(holds(done.error, "file"));
    CHECK(text_of(scratch.path / "file") == "mine");
}

TEST_CASE("an output folder that cannot be used is known before the data are read") {
    const Scratch scratch;
    REQUIRE(run_tiny(scratch.path, {"--scheme", "serial"}).code == 0);
    CHECK(run_tiny(scratch.path, {"--scheme", "serial"}, "no-such-file.svm").code == 2); // not 69
    CHECK(call({"run", "--data", "no-such-file.svm", "-o", "/proc/x"}, scratch.path).code == 74);
}

TEST_CASE("when the disk fills during the runs, what was measured stays whole and is printed") {
    const Scratch scratch;
    // Files may grow to 12 KiB: the summary passes it after some rows, no other file does.
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{12 * 1024, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const Finished done =
        run_tiny(scratch.path, {"--scheme", "serial", "--seed", "1..200", "--in-order", "--no-warm-up"});
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(done.code == 74);
    CHECK(holds(done.error, "summary.csv"));
    const std::string summary = text_of(scratch.path / "out" / "summary.csv");
    REQUIRE_FALSE(summary.empty());
    CHECK(summary.back() == '\n');
    const std::size_t rows = lines(summary) - 1;
    CHECK(rows > 10);
    CHECK(rows < 200);
    CHECK(holds(done.out, "median of " + std::to_string(rows + 1) + " seeds")); // the one that did not fit is there too
}

TEST_CASE("SIGINT, SIGTERM and SIGHUP are exit code 130, with all that was measured on disk and in the table") {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const Scratch scratch;
        Child child({program(), "run", "--data", "synthetic:rows=20000,features=40,nonzeros=5", "--no-cache",
                     "--scheme", "serial", "--epochs", "1,30000,2", "--step", "constant", "--observe", "1",
                     "--in-order", "--json", "-o", "out"},
                    scratch.path, nullptr, Child::ErrorStream::kTerminal);
        REQUIRE(child.wait_for_error("[2/3] hinge serial")); // progress of the second run, which would take minutes
        child.interrupt(signal);
        CHECK(child.finish() == 130);
        CHECK(holds(child.error, "stopping: "));
        CHECK(holds(child.error, "1 of 3 runs were not started"));
        CHECK(holds(child.error, "plots: not drawn (interrupted); try "));
        CHECK(holds(child.error, "plot.py out"));
        CHECK_FALSE(fs::exists(scratch.path / "out" / "convergence.png"));
        const std::string summary = text_of(scratch.path / "out" / "summary.csv");
        CHECK(lines(summary) == 3);
        CHECK(holds(summary, ",done,"));
        CHECK(holds(summary, ",interrupted,"));
        CHECK(lines(child.out) == 2);
        CHECK(fs::exists(scratch.path / "out" / "2-serial-s1" / "trace.csv"));
    }
}

TEST_CASE("an interrupt before anything is measured says so and leaves nothing behind") {
    const Scratch scratch;
    Child child({program(), "run", "--data", "synthetic:rows=20000,features=5000,nonzeros=30,noise=0.2", "--no-cache",
                 "--scheme", "serial", "--optimum", "--l2", "1e-9", "-o", "out"},
                scratch.path);
    REQUIRE(child.wait_for_error("defaults of hinge serial")); // said before the optimum is solved, which takes seconds
    child.interrupt();
    CHECK(child.finish() == 130);
    CHECK(holds(child.error, "interrupted before anything was measured"));
    CHECK_FALSE(holds(child.error, "optimum of hinge"));
    CHECK_FALSE(fs::exists(scratch.path / "out"));
}

TEST_CASE("kill -9 at any moment leaves what was measured readable") {
    for (const std::size_t measured : {1u, 2u, 3u, 5u, 8u, 13u, 21u, 34u}) {
        const Scratch scratch;
        Child child({program(), "run", "--data", kTiny, "--no-cache", "--no-plot", "--scheme", "serial,hogwild",
                     "--hot-updates", "direct", "--seed", "1..300", "--epochs", "1", "--json", "-o", "out"},
                    scratch.path);
        REQUIRE(child.wait_for_lines(measured)); // a run's line is printed once its files are there
        child.kill_now();
        const std::string summary = text_of(scratch.path / "out" / "summary.csv");
        CHECK(summary.back() == '\n');
        CHECK(lines(summary) >= 1 + measured);
        for (const auto& entry : fs::directory_iterator(scratch.path / "out")) {
            const std::string name = entry.path().filename().string();
            if (!entry.is_directory() || name[0] == '.') continue; // .NAME.unfinished: not measured yet
            CHECK(json_of(text_of(entry.path() / "manifest.json"))["run"] == name);
            CHECK(lines(text_of(entry.path() / "trace.csv")) > 1);
        }
        std::istringstream rows(summary);
        std::string row;
        for (std::getline(rows, row); std::getline(rows, row);) {
            CHECK(fs::exists(scratch.path / "out" / row.substr(0, row.find(',')) / "trace.csv"));
        }
    }
}

} // namespace
} // namespace hogwild
