// hogwild export, and --tensorboard of run and sweep, as a user calls them.
#include "tests/experiments/program.h"

#include "experiments/text/json.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

namespace hogwild {
namespace {

/// Files below `folder` whose name begins so.
std::size_t count(const fs::path& folder, const std::string& beginning) {
    std::size_t found = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        found += entry.path().filename().string().starts_with(beginning) ? 1 : 0;
    }
    return found;
}

/// A sweep of two runs into `folder`/out.
Finished sweep_tiny(const fs::path& folder, const std::vector<std::string>& more) {
    std::ofstream(folder / "two.toml") << "[run]\ndata='" << kTiny << "'\nno-cache=true\nepochs=2\nscheme='serial'\n"
                                       << "[seeds]\nfinal='1..2'\n";
    std::vector<std::string> words{"sweep", "two.toml", "-o", "out", "--no-report"};
    words.insert(words.end(), more.begin(), more.end());
    return call(words, folder);
}

/// Runs the program where Python has numpy and ends any script as one that misses something.
Finished call_without_python(std::vector<std::string> words, const fs::path& folder) {
    std::ofstream(folder / "python3") << "#!/bin/sh\ntest \"$1\" = -c || exit 69\n";
    fs::permissions(folder / "python3", fs::perms::owner_all);
    words.insert(words.begin(), {"/usr/bin/env", "PATH=" + folder.string(), program()});
    Child child(words, folder);
    const int code = child.finish();
    return {code, child.out, child.error};
}

TEST_CASE("a folder that hogwild run wrote becomes event files and a file store, each named on a line") {
    const Scratch scratch;
    REQUIRE(run_tiny(scratch.path, {"--scheme", "serial,hogwild", "--threads", "1", "--seed", "1,2"}).code == 0);
    const Finished done = call({"export", "out", "--tensorboard", "tb", "--mlflow", "ml"}, scratch.path);
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK(done.out == "tb\nml\n");
    CHECK(done.error == "");
    CHECK(count(scratch.path / "tb", "events.out.tfevents.") == 4);
    CHECK(count(scratch.path / "ml", "train_loss") == 4);
    CHECK(count(scratch.path, ".tb.") + count(scratch.path, ".ml.") == 0);
}

TEST_CASE("what is there is replaced only when asked, and only an earlier export") {
    const Scratch scratch;
    REQUIRE(run_tiny(scratch.path, {"--scheme", "serial"}).code == 0);
    const auto to = [&](const char* out, bool overwrite) {
        std::vector<std::string> words{"export", "out", "--tensorboard", out};
        if (overwrite) words.emplace_back("--overwrite");
        return call(words, scratch.path);
    };
    CHECK(to("tb", false).code == 0);
    const Finished again = to("tb", false);
    CHECK(again.code == 2);
    CHECK(holds(again.error, "tb: not written (it is there already); "));
    CHECK(to("tb", true).code == 0);
    const Finished results = to("out", true);
    CHECK(results.code == 2);
    CHECK(holds(results.error, "out: not replaced (it is no earlier export"));
    CHECK(lines(text_of(scratch.path / "out" / "summary.csv")) == 2);
}

TEST_CASE("what cannot be exported is said in words, with the exit code of what is wrong") {
    const Scratch scratch;
    const auto refused = [&](const std::vector<std::string>& words, int code, const std::string& said) {
        const Finished done = call(words, scratch.path);
        CHECK_MESSAGE(done.code == code, done.error);
        CHECK_MESSAGE(holds(done.error, said), done.error);
    };
    refused({"export", "nowhere"}, 2, "there is nothing to write (no format is named); add --tensorboard OUT or");
    refused({"export", "nowhere", "--mlflow", "ml"}, 69, "nowhere is not there (");
    refused({"export", "--tensorboard=--x", "--", "--y"}, 69, "--y is not there (");
    REQUIRE(run_tiny(scratch.path, {"--scheme", "serial"}).code == 0);
    std::ofstream(scratch.path / "file") << "x";
    refused({"export", "out", "--mlflow", "file/below"}, 74, "/file: cannot be written (");
    const Finished without = call_without_python({"export", "out", "--mlflow", "ml"}, scratch.path);
    CHECK(without.code == 69);
}

TEST_CASE("run --tensorboard writes what export would, and standard output is what it was") {
    const Scratch scratch;
    const Finished done = run_tiny(scratch.path, {"--scheme", "serial", "--json", "--tensorboard", "tb"});
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK(lines(done.out) == 1);
    CHECK(json_of(done.out)["status"] == "done");
    CHECK(holds(done.error, "event files: tb\n"));
    REQUIRE(call({"export", "out", "--tensorboard", "later"}, scratch.path).code == 0);
    const fs::path run = "1-serial-s1";
    for (const auto& file : fs::directory_iterator(scratch.path / "tb" / run)) {
        CHECK(text_of(file.path()) == text_of(scratch.path / "later" / run / file.path().filename()));
    }
    CHECK(count(scratch.path / "tb", "events.out.tfevents.") == 1);
}

TEST_CASE("a folder in the way of event files is said before anything runs") {
    const Scratch scratch;
    fs::create_directory(scratch.path / "mine");
    std::ofstream(scratch.path / "mine" / "file") << "x";
    const Finished run = run_tiny(scratch.path, {"--scheme", "serial", "--tensorboard", "mine"});
    CHECK(run.code == 2);
    CHECK(holds(run.error, "--tensorboard cannot write mine (it is there already); "));
    const Finished sweep = sweep_tiny(scratch.path, {"--tensorboard", "mine"});
    CHECK(sweep.code == 2);
    CHECK(holds(sweep.error, "--tensorboard cannot write mine (it is there already, and no earlier export); "));
    CHECK(sweep_tiny(scratch.path, {"--tensorboard", "tb", "--shard", "1/2"}).code == 2);
    CHECK(sweep_tiny(scratch.path, {"--tensorboard", "tb", "--tune-only"}).code == 2);
    CHECK_FALSE(fs::exists(scratch.path / "out"));
}

TEST_CASE("sweep --tensorboard writes its final runs, and the same command again the same") {
    const Scratch scratch;
    for (const char* time : {"first", "again"}) {
        CAPTURE(time);
        const Finished done = sweep_tiny(scratch.path, {"--tensorboard", "tb"});
        CHECK_MESSAGE(done.code == 0, done.error);
        CHECK(holds(done.error, "event files: tb\n"));
        CHECK(count(scratch.path / "tb", "events.out.tfevents.") == 2);
    }
}

TEST_CASE("without Python what was measured stays, and the exit code says that event files are missing") {
    const Scratch run, sweep;
    const Finished ran = call_without_python({"run", "--data", kTiny, "--no-cache", "--no-plot", "--scheme", "serial",
                                              "-o", "out", "--tensorboard", "my tb"},
                                             run.path);
    CHECK(ran.code == 69);
    CHECK(holds(ran.error,
                "event files: not written (exit code 69); try " + program() + " export out --tensorboard 'my tb'\n"));
    CHECK(lines(text_of(run.path / "out" / "summary.csv")) == 2);

    REQUIRE(sweep_tiny(sweep.path, {"--tune-only"}).code == 0); // writes the file
    const Finished swept =
        call_without_python({"sweep", "two.toml", "-o", "out", "--no-report", "--tensorboard", "tb"}, sweep.path);
    CHECK(swept.code == 69);
    CHECK(holds(swept.error, "event files: not written (exit code 69)"));
    CHECK(lines(text_of(sweep.path / "out" / "summary.csv")) == 3);
    CHECK(sweep_tiny(sweep.path, {"--tensorboard", "tb"}).code == 0); // once Python is there
}

TEST_CASE("an interrupted run has no event files, and says what to type") {
    const Scratch scratch;
    std::vector<std::string> words{
        program(),    "run",       "--data",       "synthetic:rows=20000,features=400,nonzeros=20",
        "--no-cache", "--no-plot", "--no-warm-up", "--scheme",
        "serial",     "--epochs",  "1,4000",       "--in-order",
        "-o",         "out",       "--json",       "--tensorboard",
        "tb"};
    Child child(words, scratch.path);
    CHECK(child.wait_for_lines(1));
    child.interrupt();
    CHECK(child.finish() == 130);
    CHECK(holds(child.error,
                "event files: not written (interrupted); try " + program() + " export out --tensorboard tb\n"));
    CHECK_FALSE(fs::exists(scratch.path / "tb"));
}

} // namespace
} // namespace hogwild
