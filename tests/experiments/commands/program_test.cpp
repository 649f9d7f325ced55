// The built program as a user meets it: exit codes, messages, files.
#include "tests/experiments/program.h"

#include "engine/machine/gpus.h"
#include "experiments/folder/result.h"
#include "experiments/text/json.h"

#include <doctest/doctest.h>

#include <array>
#include <fstream>

#include <unistd.h>

namespace hogwild {
namespace {

TEST_CASE("a product of runs leaves one row and one folder for each, and a table") {
    const Scratch scratch;
    const Finished done = run_tiny(scratch.path, {"--scheme", "serial,hogwild,minibatch", "--threads", "1,2",
                                                  "--update", "racy,atomic", "--test", "held-out"});
    CHECK(done.code == 0);
    constexpr std::size_t kRuns = 1 + 4 + 2;
    CHECK(lines(text_of(scratch.path / "out" / "summary.csv")) == 1 + kRuns);
    std::size_t folders = 0;
    for (const auto& entry : fs::directory_iterator(scratch.path / "out")) {
        if (!entry.is_directory()) continue;
        ++folders;
        CHECK(text_of(entry.path() / "trace.csv").rfind(trace_text({}), 0) == 0);
        const Json manifest = json_of(text_of(entry.path() / "manifest.json"));
        CHECK(manifest["run"] == entry.path().filename().string());
        CHECK(manifest["data"]["rows"] == 300);
        CHECK(manifest["plan"]["epochs"] == 2);
        std::array<char, 256> host{};
        REQUIRE(gethostname(host.data(), host.size() - 1) == 0);
        for (const auto& [key, value] : manifest["machine"].items()) CHECK(value != std::string(host.data()));
    }
    CHECK(folders == kRuns);
    const auto footnotes = done.out.find("speed-up: ");
    REQUIRE(footnotes != std::string::npos);
    CHECK(lines(done.out.substr(0, footnotes)) == 2 + kRuns);
    CHECK(holds(done.out, "minibatch"));
    CHECK(holds(done.error, "defaults of hinge minibatch: "));
    CHECK_FALSE(holds(done.error, "\r")); // progress is for terminals
}

TEST_CASE("--json prints one object for each run and nothing else") {
    const Scratch scratch;
    const Finished done = run_tiny(scratch.path, {"--scheme", "serial", "--seed", "1..3", "--json"});
    CHECK(done.code == 0);
    REQUIRE(lines(done.out) == 3);
    std::istringstream text(done.out);
    for (std::string line; std::getline(text, line);) CHECK(json_of(line)["status"] == "done");
}

TEST_CASE("--quiet says nothing on standard error") {
    const Scratch scratch;
    const Finished done = run_tiny(scratch.path, {"--scheme", "serial", "--quiet"});
    CHECK(done.code == 0);
    CHECK(done.error == "");
}

TEST_CASE("a command line that cannot be understood is exit code 2") {
    const Scratch scratch;
    const auto refused = [&](const std::vector<std::string>& more, const std::string& said) {
        const Finished done = run_tiny(scratch.path, more);
        CHECK_MESSAGE(done.code == 2, more[0] << ": " << done.error);
        CHECK_MESSAGE(holds(done.error, said), done.error);
        CHECK(done.out == "");
    };
    refused({"--no-such-flag"}, "(not expected: --no-such-flag); see " + program() + " run --help");
    refused({"--thread", "2", "--observ=3"},
            "(not expected: --thread 2 --observ=3); did you mean --threads and --observe? see " + program() +
                " run --help");
    refused({"--threads", "0"}, "--threads cannot be '0'");
    refused({"--update", "atomc"}, "known: racy, atomic");
    refused({"--scheme", "serial", "--update", "atomc"}, "atomc");
    refused({"--scheme", "serail"}, "saga, columns, auto); did you mean serial?");
    refused({"--hot-updates", "replicate"},
            "(known: direct, delayed, thinned, replicated, auto); did you mean replicated?");
    refused({"--target", "gap:2"}, "--target cannot be 'gap:2'");
    refused({"--target", "gap:1e-2", "--l2", "0"}, "without L2");
    refused({"--target", "rmse:1"}, "'rmse:1' (hinge is scored by test_error); name");
    refused({"--target", "test_error:2"}, "test_error is from 0 to 1");
    refused({"--target", "test_error:0.1"}, "no test samples");
    refused({"--rank", "foo"}, "--rank cannot be 'foo' (it is not a whole number); give whole numbers like 8,16");
    refused({"--rank", "1e400"}, "--rank cannot be '1e400' (it is beyond the largest number, 1.8e308)");
    refused({"--test", "held-out", "--real-labels"}, "--real-labels");
    CHECK(call({}).code == 2);
    CHECK(call({"walk"}).code == 2);
    CHECK(holds(call({"rum", "--data", "tiny"}).error, "did you mean run? "));
    CHECK(holds(call({"data", "check", "tiny", "--problm", "cut"}).error,
                "did you mean --problem? see " + program() + " data check "));
    CHECK(call({"run"}).code == 2);
    CHECK(call({"data"}).code == 2);
    CHECK_FALSE(fs::exists(scratch.path / "out"));
}

TEST_CASE("a combination that cannot run is left out with a reason; only when nothing is left is it an error") {
    const Scratch scratch;
    const Finished some = run_tiny(
        scratch.path, {"--scheme", "hogwild", "--update", "racy,noop", "--telemetry", "exact", "--seed", "1,2"});
    CHECK(some.code == 0);
    CHECK(lines(text_of(scratch.path / "out" / "summary.csv")) == 1 + 2);
    const auto first = some.error.find("left out: ");
    REQUIRE(first != std::string::npos);
    CHECK(holds(some.error.substr(first), "noop"));
    CHECK_FALSE(holds(some.error.substr(first + 1), "left out: "));

    const Scratch empty;
    const Finished none = run_tiny(empty.path, {"--scheme", "hogwild", "--update", "noop", "--telemetry", "exact"});
    CHECK(none.code == 2);
    CHECK(holds(none.error, "nothing is left to run"));
}

TEST_CASE("what was asked for and has no effect is said, unless notes are unwanted") {
    const Scratch loud, quiet;
    const std::vector<std::string> words{"--scheme",    "serial", "--threads",        "1",
                                         "--cas-limit", "8",      "--positive-class", "1"};
    const Finished done = run_tiny(loud.path, words);
    CHECK(done.code == 0);
    for (const char* option : {"--threads", "--cas-limit", "--positive-class"}) {
        CHECK(holds(done.error, std::string("note: ") + option + " has no effect"));
    }
    CHECK_FALSE(holds(done.error, "--update has no effect")); // was not asked for
    std::vector<std::string> silent = words;
    silent.emplace_back("--quiet");
    CHECK(run_tiny(quiet.path, silent).error == "");
}

TEST_CASE("a test set with columns that were never trained is warned about") {
    const Scratch scratch;
    std::ofstream(scratch.path / "train.svm") << "+1 1:1\n-1 2:1\n";
    std::ofstream(scratch.path / "test.svm") << "+1 1:1 3:1 5:1\n-1 4:1 2000:1\n";
    const Finished done = run_tiny(scratch.path, {"--scheme", "serial", "--test", "test.svm", "--quiet"}, "train.svm");
    CHECK(done.code == 0);
    CHECK(holds(done.error, "warning: columns of the test set go up to 2,000, of the training set up to 2 "));
    CHECK(holds(done.error, "80 % of the test set's nonzeros"));
}

TEST_CASE("a combination that these samples cannot run is left out like any other") {
    const Scratch scratch;
    const Finished some =
        call({"run", "--data", "synthetic:rows=300,features=1,nonzeros=1", "--no-plot", "--scheme", "hogwild",
              "--telemetry", "exact", "--epochs", "1,1000000", "--seed", "1,2", "-o", "out"},
             scratch.path);
    CHECK(some.code == 0);
    CHECK(holds(some.error, "left out: "));
    CHECK(holds(some.error, "2^24"));
    CHECK(lines(text_of(scratch.path / "out" / "summary.csv")) == 1 + 2);
}

TEST_CASE("help and version are results: exit code 0, on standard output") {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                  {"run", "--help"},
                                                  {"data", "--help"},
                                                  {"data", "convert", "--help"},
                                                  {"info", "--help"}}) {
        const Finished done = call(words);
        CHECK(done.code == 0);
        CHECK(holds(done.out, "Example"));
        CHECK(done.error == "");
    }
    CHECK(call({"--version"}).code == 0);
}

TEST_CASE("a file or folder that is missing is exit code 69 under every command, with what to try") {
    const Scratch scratch;
    std::ofstream(scratch.path / "sweep.toml")
        << "[run]\ndata = 'absent.svm'\n[axes]\nscheme = ['serial']\n[seeds]\nfinal = '1'\n";
    std::ofstream(scratch.path / "pairs.txt") << "a b 1\n";
    fs::create_directories(scratch.path / "empty");
    const auto missing = [&](const std::vector<std::string>& words, const std::string& name) {
        const Finished done = call(words, scratch.path);
        CHECK_MESSAGE(done.code == 69, words[0] << ": " << done.error);
        CHECK_MESSAGE(holds(done.error, name), done.error);
        CHECK_MESSAGE((holds(done.error, " (") && holds(done.error, "); ")), done.error);
        CHECK(done.out == "");
    };
    for (const char* problem : {"hinge", "factorization", "cut", "skipgram", "network"})
        missing({"run", "--problem", problem, "--data", "absent.svm"}, "absent.svm");
    missing({"run", "--scheme", "auto", "--data", "absent.svm"}, "absent.svm");
    missing({"run", "--data", kTiny, "--test", "absent.svm", "--no-plot"}, "absent.svm");
    missing({"tune", "--data", "absent.svm"}, "absent.svm");
    missing({"data", "absent.svm"}, "absent.svm");
    missing({"data", "check", "absent.svm"}, "absent.svm");
    missing({"predict", "--model", "absent.npy", "--data", "absent.svm"}, "absent.npy");
    missing({"similarity", "--model", "absent.bin", "--pairs", "pairs.txt"}, "absent.bin");
    missing({"sweep", "absent.toml"}, "absent.toml");
    missing({"sweep", "sweep.toml"}, "absent.svm");
    for (const char* folder : {"absent", "empty"}) {
        missing({"compare", folder}, folder);
        missing({"compare", folder, folder}, folder);
        missing({"report", folder}, folder);
        missing({"export", folder, "--mlflow", "out"}, folder);
    }
}

TEST_CASE("what asks for a GPU where there is none is exit code 69 with the reason, before anything is read or run") {
    REQUIRE(setenv("CUDA_VISIBLE_DEVICES", "", 1) == 0); // hides what there is
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--scheme", "hogwild", "--device", "gpu"},
                                                  {"--scheme", "hogwild", "--device", "both"},
                                                  {"--scheme", "hogwild", "--device", "cpu,gpu"},
                                                  {"--scheme", "hogwild", "--memory", "mapped"},
                                                  {"--scheme", "serial,local-sgd", "--device", "gpu", "--quiet"},
                                                  {"--scheme", "round-robin", "--device", "gpu,both"},
                                                  {"--scheme", "serial", "--memory", "managed"}}) {
        const Scratch scratch;
        const Finished done = run_tiny(scratch.path, words, "no-such-file.svm");
        CHECK(done.code == 69);
        CHECK(done.out == "");
        CHECK(holds(done.error, "(no GPU: "));
        CHECK(holds(done.error, built_for_gpus() ? "a machine with a GPU" : "HOGWILD_CUDA=ON"));
        CHECK_FALSE(fs::exists(scratch.path / "out"));
    }
    const Scratch scratch;
    CHECK(run_tiny(scratch.path, {"--scheme", "serial", "--device", "cpu", "--streams", "3"}).code == 0);
    unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST_CASE("help says which axes want a GPU, and whether this build could use one") {
    const std::string help = call({"run", "--help"}).out;
    const auto group = help.find("Axes of a GPU (");
    REQUIRE(group != std::string::npos);
    for (const char* axis : {"--device", "--memory", "--streams", "--blocks", "--hot", "--hot-rule", "--bridge-rule"}) {
        CHECK(help.find(std::string("  ") + axis + " ", group) != std::string::npos);
    }
    CHECK((help.find("this build is without CUDA", group) == std::string::npos) == built_for_gpus());
}

TEST_CASE("a malformed file is exit code 1, its message names the place") {
    const Scratch scratch;
    std::ofstream(scratch.path / "bad.svm") << "+1 1:0.5\n-1 1:nan\n";
    const Finished done = call({"data", "check", "bad.svm"}, scratch.path);
    CHECK(done.code == 1);
    CHECK(holds(done.error, "bad.svm:2:"));
}

TEST_CASE("a run that diverges is exit code 3, after all have run") {
    const Scratch scratch;
    const Finished done =
        run_tiny(scratch.path, {"--problem", "squared", "--scheme", "serial", "--step-size", "1e8,0.01", "--step",
                                "constant", "--l2", "0", "--in-order", "--target", "1e-9"});
    CHECK(done.code == 3); // though the other missed its target
    const std::string summary = text_of(scratch.path / "out" / "summary.csv");
    CHECK(lines(summary) == 3);
    CHECK(holds(summary, ",diverged,"));
    CHECK(holds(summary, ",done,"));
    CHECK_FALSE(holds(summary, "inf"));
    CHECK_FALSE(holds(summary, "nan"));
    CHECK(holds(done.out, "diverged"));
}

TEST_CASE("a target that a run misses is exit code 4, one that all reach is 0") {
    const Scratch missed, reached;
    CHECK(run_tiny(missed.path, {"--scheme", "serial", "--target", "1e-9"}).code == 4);
    CHECK(run_tiny(reached.path, {"--scheme", "serial", "--target", "gap:0.9"}).code == 0);
}

TEST_CASE("a score is a target as a loss is: in the table, in summary.csv and the manifest, in the exit code") {
    const Scratch missed, reached;
    const std::vector<std::string> run = {"--scheme", "serial", "--test", "held-out", "--target"};
    const auto with = [&](const char* target) {
        std::vector<std::string> words = run;
        words.emplace_back(target);
        return words;
    };
    CHECK(run_tiny(missed.path, with("test_error:0")).code == 4);
    const Finished done = run_tiny(reached.path, with("test_error:0.45"));
    CHECK(done.code == 0);
    CHECK(holds(done.out, "time to target: when the test error first fell to it"));
    CHECK(holds(text_of(reached.path / "out" / "summary.csv"), ",0.45,test_error,"));
    const Json manifest = json_of(text_of(reached.path / "out" / "1-serial-s1" / "manifest.json"));
    CHECK(manifest["target"] == 0.45);
    CHECK(manifest["target_of"] == "test_error");
}

TEST_CASE("a dataset may be called anything") {
    const Scratch scratch;
    const std::string name = "<script>a, \"b\"<"; // a file's name holds no '/'
    fs::create_directories(scratch.path / name);
    std::ofstream(scratch.path / name / "script>") << "+1 1:1\n-1 2:1\n+1 1:0.5 2:-1\n";
    const std::string data = name + "/script>"; // ... but its path ends in "</script>"
    const Finished done = run_tiny(scratch.path, {"--scheme", "serial"}, data);
    CHECK(done.code == 0);
    CHECK(holds(text_of(scratch.path / "out" / "summary.csv"), "\"<script>a, \"\"b\"\"</script>\""));
    const std::string manifest = text_of(scratch.path / "out" / "1-serial-s1" / "manifest.json");
    CHECK_FALSE(holds(manifest, "</script>"));
    CHECK(json_of(manifest)["data"]["name"] == data);
}

TEST_CASE("plots that were demanded and cannot be drawn are exit code 69, the results stay") {
    const Scratch scratch;
    std::vector<std::string> words{"/usr/bin/env", "PATH=" + scratch.path.string(), program(), "run"};
    std::ofstream(scratch.path / "python3") << "#!/bin/sh\ntest \"$1\" = -c\n"; // has matplotlib, fails to draw
    fs::permissions(scratch.path / "python3", fs::perms::owner_all);
    for (const char* word : {"--data", kTiny.c_str(), "--no-cache", "--scheme", "serial", "-o", "out", "--plot"}) {
        words.emplace_back(word);
    }
    Child child(words, scratch.path);
    CHECK(child.finish() == 69);
    CHECK(holds(child.error, "plots: not drawn"));
    CHECK(lines(text_of(scratch.path / "out" / "summary.csv")) == 2);
}

TEST_CASE("convert changes no sample and no label, and replaces nothing unasked") {
    const Scratch scratch;
    const std::string text = "3 1:0.1 4:2\n+1 2:-1e-07\n2\n";
    std::ofstream(scratch.path / "in.svm") << text;
    const auto convert = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"data", "convert", "in.svm", "out.svm", "--no-cache"};
        words.insert(words.end(), more.begin(), more.end());
        return call(words, scratch.path).code;
    };
    CHECK(convert({}) == 0);
    CHECK(text_of(scratch.path / "out.svm") == text);
    CHECK(convert({}) == 2);
    CHECK(convert({"--overwrite", "--positive-class", "2"}) == 0);
    CHECK(text_of(scratch.path / "out.svm") == "-1 1:0.1 4:2\n-1 2:-1e-07\n+1\n");
    CHECK(call({"data", "convert", "in.svm", "out.svm.gz"}, scratch.path).code == 2);
}

TEST_CASE("data describes in text and in JSON") {
    const Finished text = call({"data", kTiny, "--no-cache"});
    CHECK(text.code == 0);
    for (const char* word : {"samples", "300", "Omega", "Delta", "rho", "row norms", "memory"})
        CHECK(holds(text.out, word));
    const Finished json = call({"data", kTiny, "--no-cache", "--json"});
    CHECK(json.code == 0);
    const Json facts = json_of(json.out);
    CHECK(facts["rows"] == 300);
    CHECK(facts["delta"].get<double>() > 0);
}

TEST_CASE("info names the machine") {
    const Finished done = call({"info", "--json", "--no-measure"});
    CHECK(done.code == 0);
    const Json facts = json_of(done.out);
    CHECK(facts["machine"]["cores"].get<unsigned>() >= 1);
    CHECK(facts["measured"].is_null());
    CHECK(holds(call({"info", "--no-measure"}).out, "usable cores"));
}

TEST_CASE("the cache lies where it was asked for, and a second run maps what the first parsed") {
    const Scratch scratch;
    std::ofstream(scratch.path / "in.svm") << "+1 1:1\n-1 2:1\n";
    const std::vector<std::string> words{"data", "in.svm", "--json", "--cache", "kept"};
    const Finished first = call(words, scratch.path), second = call(words, scratch.path);
    REQUIRE(first.code == 0);
    REQUIRE(second.code == 0);
    CHECK(json_of(first.out)["from_cache"] == false);
    CHECK(json_of(second.out)["from_cache"] == true);
    CHECK(fs::exists(scratch.path / "kept"));
}

} // namespace
} // namespace hogwild
