// What a sweep writes after its runs, and what it says where it cannot.
#include "tests/experiments/sweep/sweeps.h"

#include "experiments/scripts/scripts.h"

using namespace hogwild;

namespace {

constexpr const char* kOneRun = "[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'\nno-cache=true\nepochs="
                                "1\nscheme='serial'\n[seeds]\nfinal=1";

/// An installed program, whose report is written by the script `text`.
struct Installed {
    Scratch scratch;
    std::filesystem::path path = scratch.path / "bin" / "hogwild";

    explicit Installed(const std::string& text) {
        const auto scripts = scratch.path / "share" / "hogwild" / "report";
        std::filesystem::create_directories(path.parent_path());
        std::filesystem::create_directories(scripts);
        std::filesystem::copy_file(program(), path);
        std::ofstream(scripts / "report.py") << text;
    }

    /// A sweep into spec.out() with its report.
    Child start(const SpecFile& spec) const {
        std::filesystem::create_directory(spec.out());
        std::ofstream(spec.out() / "ceilings.json") << "{}\n"; // measuring them takes seconds
        return Child({path.string(), "sweep", spec.file.string(), "-o", "out"}, spec.scratch.path);
    }

    Finished sweep(const SpecFile& spec) const {
        Child child = start(spec);
        const int code = child.finish();
        return {code, child.out, child.error};
    }
};

/// Samples whose first feature is the class.
void write_samples(const std::filesystem::path& file) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream samples(file);
    for (int row = 0; row < 60; ++row) samples << (row % 2 == 0 ? "+1 1:1 " : "-1 1:-1 ") << 2 + row % 5 << ":0.5\n";
}

/// Whether no Python here can write a report, which it says.
bool no_matplotlib() {
    const Script report{"report/report.py", {"matplotlib", "numpy"}};
    if (!python_of(report).empty()) return false;
    MESSAGE("skipped: ", no_python(report), "; to run it: ./experiments/setup");
    return true;
}

} // namespace

TEST_CASE("a sweep writes its report at the end, in which a dataset named </script> is a name") {
    if (no_matplotlib()) return;
    const SpecFile spec("[run]\ndata='a</script>.svm'\nno-cache=true\nepochs=2\nthreads=1\n"
                        "[axes]\nscheme=['serial','minibatch']\n[seeds]\nfinal='1..2'\n[targets]\ntarget=0.9");
    write_samples(spec.scratch.path / "a<" / "script>.svm");
    const Finished done = call({"sweep", "spec.toml", "-o", "out"}, spec.scratch.path);
    CHECK_MESSAGE(done.code == 0, done.error);
    const std::string page = text_of(spec.out() / "report.html");
    CHECK(page.find("a</script>") == std::string::npos);
    CHECK(page.find("Hinge loss on a&lt;/script&gt;.svm") != std::string::npos);
    for (const auto& row : losses(spec.out() / "summary.csv"))
        CHECK_MESSAGE(page.find(row.first) != std::string::npos, row.first);
    CHECK(std::filesystem::exists(spec.out() / "verdicts.csv"));
    CHECK(std::filesystem::exists(spec.out() / "figures" / "loss.svg"));
}

TEST_CASE("a report that the disk does not take is exit code 74, one whose program fails otherwise 1; results stay") {
    if (no_matplotlib()) return;
    const std::string died = "import os\nos.kill(os.getpid(), 9)\n";
    struct Ending {
        std::string text;
        int code;
        const char* words;
    };
    for (const Ending& each :
         {Ending{"raise SystemExit(74)\n", 74, "ended with exit code 74 (the disk did not take it)"},
          Ending{"raise SystemExit(1)\n", 1, "ended with exit code 1 (what it said is above)"},
          Ending{died, 1, "report.py died"}}) {
        const SpecFile spec(kOneRun);
        const Finished done = Installed(each.text).sweep(spec);
        CHECK_MESSAGE(done.code == each.code, each.text);
        CHECK_MESSAGE(done.error.find(each.words) != std::string::npos, done.error);
        CHECK(losses(spec.out() / "summary.csv").size() == 1);
        const Finished again = Installed("raise SystemExit(0)\n").sweep(spec);
        CHECK(again.code == 0);
        CHECK(ends(spec.out() / "journal").begin()->second == 1);
    }
}

TEST_CASE("where a report cannot be had, a sweep says so and has not failed") {
    if (no_matplotlib()) return;
    const SpecFile spec(kOneRun);
    CHECK(Installed("raise SystemExit(69)\n").sweep(spec).code == 0);
}

TEST_CASE("an interrupt while the report is written is exit code 130, as at any other time") {
    if (no_matplotlib()) return;
    const SpecFile spec(kOneRun);
    const Installed installed("import signal, sys\nprint('drawing', file=sys.stderr, flush=True)\nsignal.pause()\n");
    Child child = installed.start(spec);
    REQUIRE(child.wait_for_error("drawing"));
    child.interrupt();
    REQUIRE(kill(child_of(child.pid()), SIGINT) == 0); // a terminal's reaches both
    CHECK(child.finish() == 130);
    CHECK(losses(spec.out() / "summary.csv").size() == 1);
}

TEST_CASE("verdicts that the disk does not take are exit code 74; results stay") {
    const SpecFile spec;                                              // one run has nothing to be compared with
    std::filesystem::create_directories(spec.out() / "verdicts.csv"); // nothing can be written there
    const Finished done = spec.run();
    CHECK(done.code == 74);
    CHECK(done.error.find("verdicts.csv") != std::string::npos);
    std::filesystem::remove(spec.out() / "verdicts.csv");
    CHECK(spec.run().code == 0);
    check_whole(spec);
}

TEST_CASE("verdicts of a sweep are on updates per second and, with a target, on the time to it") {
    const std::string head = "[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'\nno-cache=true\nthreads=1\n"
                             "[axes]\nscheme=['serial','minibatch']\n[seeds]\nfinal='1..2'\n";
    const auto metrics = [](const SpecFile& spec) {
        CHECK(spec.run().code == 0);
        std::vector<std::string> metrics;
        for (const CsvRecord& row : read_csv(text_of(spec.out() / "verdicts.csv"), "verdicts.csv").records)
            metrics.push_back(row.fields.at(0));
        return metrics;
    };
    CHECK(metrics(SpecFile(head)) == std::vector<std::string>{"metric", "updates-per-second"});
    for (const char* target : {"0.9", "'test_error:0.45'"}) {
        CAPTURE(std::string(target));
        CHECK(metrics(SpecFile("[run]\ntest='held-out'\n" + head.substr(6) + "[targets]\ntarget=" + target + '\n')) ==
              std::vector<std::string>{"metric", "time-to-target", "updates-per-second"});
    }
}

TEST_CASE("a sweep of several numbers of workers leaves a table of who wins, and one of a single number none") {
    const SpecFile spec("[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'\nno-cache=true\nepochs=2\n"
                        "oversubscribe=true\n[axes]\nscheme=['serial','hogwild','minibatch']\nthreads=[1,2]\n"
                        "[seeds]\nfinal='1..3'\n[targets]\ntarget=0.9");
    const Finished done = spec.run();
    CHECK_MESSAGE(done.code == 0, done.error);
    const auto table = spec.out() / "speedup.csv";
    CHECK(text_of(table).starts_with("data,problem,scheme,kind,workers,speedup,low,high\n"));
    std::vector<std::vector<std::string>> expected;
    for (const char* scheme : {"hogwild", "minibatch"}) {
        for (const char* workers : {"1", "2"})
            expected.push_back({"hinge", scheme, std::string(scheme) == "hogwild" ? "async" : "sync", workers});
    }
    CHECK(columns(table, {"problem", "scheme", "kind", "workers"}) == expected);
    const SpecFile alone(kOneRun);
    CHECK(alone.run().code == 0);
    CHECK_FALSE(std::filesystem::exists(alone.out() / "speedup.csv"));
}
