// Networks as a user of the program meets them.
#include "experiments/files/csv_reader.h"
#include "tests/experiments/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

Finished train(const fs::path& folder, const std::vector<std::string>& more) {
    std::vector<std::string> words{"run",
                                   "--problem",
                                   "network",
                                   "--data",
                                   "synthetic:tiny",
                                   "--no-plot",
                                   "--network",
                                   "dense 16 relu; dense 10",
                                   "--epochs",
                                   "2",
                                   "-o",
                                   "out"};
    if (std::ranges::count(more, "--network") > 0) words.erase(words.begin() + 6, words.begin() + 8);
    if (std::ranges::count(more, "--data") > 0) words.erase(words.begin() + 3, words.begin() + 5);
    words.insert(words.end(), more.begin(), more.end());
    return call(words, folder);
}

/// The fields of this column, of all runs of `folder`/out.
std::vector<std::string> column(const fs::path& folder, const std::string& name) {
    const CsvText table = read_csv(text_of(folder / "out" / "summary.csv"), "summary.csv");
    const std::vector<std::string>& names = table.records.at(0).fields;
    const auto at = std::ranges::find(names, name);
    REQUIRE(at != names.end());
    std::vector<std::string> fields;
    for (std::size_t i = 1; i < table.records.size(); ++i)
        fields.push_back(table.records[i].fields[static_cast<std::size_t>(at - names.begin())]);
    return fields;
}

} // namespace

TEST_CASE("a network trains under every scheme that it has, and is scored on images of its own test set") {
    const Scratch scratch;
    const Finished finished =
        train(scratch.path, {"--scheme", "serial,hogwild,round-robin,minibatch,local-sgd", "--threads", "2"});
    CAPTURE(finished.out);
    CAPTURE(finished.error);
    CHECK(finished.code == 0);
    CHECK(column(scratch.path, "status") == std::vector<std::string>(5, "done"));
    for (const std::string& error : column(scratch.path, "test_error")) CHECK(std::stod(error) < 0.9);
    CHECK(column(scratch.path, "network") == std::vector<std::string>(5, "dense 16 relu; dense 10"));
    const std::vector<std::string> batches = column(scratch.path, "batch");
    CHECK(std::ranges::count(batches, "") == 0);
    CHECK(holds(finished.error + finished.out, "images of"));
}

TEST_CASE("networks, batches and ways to read are axes") {
    const Scratch scratch;
    const Finished finished =
        train(scratch.path, {"--scheme", "hogwild", "--threads", "1", "--network", "dense 10,dense 4 tanh; dense 10",
                             "--batch", "1,8", "--read", "in-place,copy"});
    CAPTURE(finished.error);
    CHECK(finished.code == 0);
    CHECK(column(scratch.path, "read").size() == 8);
    std::vector<std::string> losses = column(scratch.path, "train_loss"); // one thread's are the same however it reads
    std::ranges::sort(losses);
    losses.erase(std::unique(losses.begin(), losses.end()), losses.end());
    CHECK(losses.size() == 4);
}

TEST_CASE("publishing, warm-ups and rules for stale steps are axes, and dropped steps have a column") {
    const Scratch scratch;
    const Finished finished =
        train(scratch.path, {"--scheme", "hogwild", "--threads", "1", "--guard", "none,publish", "--warm-up",
                             "0,1000samples", "--staleness-rule", "none,inverse,drop", "--staleness-limit", "3"});
    CAPTURE(finished.error);
    CHECK(finished.code == 0);
    const std::vector<std::string> guards = column(scratch.path, "guard"),
                                   rules = column(scratch.path, "staleness_rule"),
                                   limits = column(scratch.path, "staleness_limit"),
                                   warm_ups = column(scratch.path, "warm_up"),
                                   dropped = column(scratch.path, "steps_dropped");
    REQUIRE(guards.size() == 2 * (3 + 1)); // publish has no rule
    CHECK(std::ranges::count(warm_ups, "") == 4);
    for (std::size_t i = 0; i < guards.size(); ++i) {
        CHECK((limits[i] == "3") == (rules[i] == "drop"));
        CHECK(dropped[i] == (guards[i] == "publish" || rules[i] == "drop" ? "0" : "")); // alone nothing is late
    }
    std::vector<std::string> losses = column(scratch.path, "train_loss"); // and all of these are the same
    std::ranges::sort(losses);
    losses.erase(std::unique(losses.begin(), losses.end()), losses.end());
    CHECK(losses.size() == 2); // but for the warm-up
}

TEST_CASE("a network that cannot be is refused by what is wrong with it") {
    const auto refused = [](const std::vector<std::string>& more, const std::string& words) {
        const Scratch scratch;
        const Finished finished = train(scratch.path, more);
        CAPTURE(finished.error);
        CHECK(finished.code != 0);
        CHECK(holds(finished.error, words));
    };
    refused({"--network", "LeNet"}, "did you mean lenet? ");
    for (const char* file : {"w.txt", "w.bin", "w.model", "w.pgm"})
        refused({"--scheme", "serial", "--save", file}, "; end it with .npy or .safetensors\n");
    refused({"--network", "dense 9"}, "makes 9 scores");
    refused({"--network", "mlp-100-10"}, "takes images of 100 entries");
    refused({"--network", "conv 6 40 relu; dense 10"}, "does not fit");
    refused({"--network", "dense 4; batchnorm relu; dense 10", "--scheme", "serial", "--batch", "1"},
            "use --batch 2 or more");
    refused({"--data", "nowhere"}, "nowhere");
    refused({"--scheme", "hogwild", "--guard", "publish", "--read", "copy"}, "use --read in-place");
    refused({"--scheme", "hogwild", "--guard", "publish", "--telemetry", "exact"}, "use --telemetry sampled");
    refused({"--scheme", "hogwild", "--guard", "publish", "--staleness-rule", "drop"}, "use --staleness-rule none");
    refused({"--staleness-rule", "late"}, "unknown staleness-rule 'late'");
    refused({"--warm-up", "soon"}, "--warm-up cannot be 'soon'");
    refused({"--read", "backwards"}, "unknown read 'backwards'");
    refused({"--gpu-steps", "streams"}, "unknown gpu-steps 'streams' (known: teams, graphs)");
    refused({"--products", "fp8"}, "unknown products 'fp8' (known: float32, tf32)");
    refused({"--optimizer", "adma"}, "unknown optimizer 'adma' (known: sgd, momentum");
    refused({"--optimizer", "adam", "--state", "per-core"}, "unknown state 'per-core'");
    refused({"--optimizer", "adam", "--beta1", "1"}, "--beta1 1 (a share of what was before lies in [0, 1)); use 0.9");
    refused({"--optimizer", "rmsprop", "--beta2", "-1"}, "--beta2 -1");
    refused({"--optimizer", "adam", "--scheme", "hogwild", "--update", "noop"}, "noop writes no weight");
    refused({"--optimizer", "adam", "--scheme", "hogwild", "--guard", "publish"}, "that publish drops");
    refused({"--optimizer", "adam", "--scheme", "serial", "--checkpoint", "every", "30s"}, "is in no snapshot");
}

TEST_CASE("optimisers, their state and their shares are axes, and columns where they mean something") {
    const Scratch scratch;
    const Finished finished =
        train(scratch.path, {"--scheme", "serial,hogwild", "--threads", "1", "--optimizer", "sgd,nesterov,rmsprop,adam",
                             "--state", "shared,per-worker", "--beta1", "0.5,0.9", "--in-order"});
    CAPTURE(finished.error);
    CHECK(finished.code == 0);
    CHECK(holds(finished.error, "defaults of network serial with rmsprop: "));
    CHECK(holds(finished.error, "--beta2 0.99\n"));
    using Cells = std::vector<std::string>;
    const Cells schemes = column(scratch.path, "scheme");
    CHECK(std::ranges::count(schemes, "serial") == 1 + 2 + 1 + 2);
    CHECK(std::ranges::count(schemes, "hogwild") == 1 + 4 + 2 + 4);
    const Cells optimizers = column(scratch.path, "optimizer"), states = column(scratch.path, "state");
    const Cells first = column(scratch.path, "beta1"), second = column(scratch.path, "beta2");
    const Cells losses = column(scratch.path, "train_loss"), sizes = column(scratch.path, "step_size");
    for (std::size_t i = 0; i < schemes.size(); ++i) {
        const std::string& name = optimizers[i];
        CHECK(states[i].empty() == (schemes[i] == "serial" || name == "sgd"));
        CHECK(first[i].empty() == (name == "sgd" || name == "rmsprop"));
        CHECK(second[i] == (name == "adam" ? "0.999" : name == "rmsprop" ? "0.99" : ""));
        if (name == "adam" || name == "rmsprop") CHECK(std::stod(sizes[i]) == 0.001);
        for (std::size_t j = 0; j < i; ++j) { // one thread's are the same wherever the state lives
            const bool alike = name == optimizers[j] && first[i] == first[j];
            CHECK((losses[i] == losses[j]) == alike);
        }
    }
}

TEST_CASE("an optimiser that a problem has not is refused, and the problem's plain SGD runs beside it") {
    const Scratch scratch;
    const std::vector<std::string> words{"run",      "--data", "synthetic:rcv1/400", "--no-plot",
                                         "--epochs", "1",      "--threads",          "1",
                                         "-o",       "out",    "--optimizer"};
    const auto with = [&](const std::string& optimizer) {
        std::vector<std::string> all = words;
        all.push_back(optimizer);
        return call(all, scratch.path);
    };
    const Finished alone = with("adam");
    CHECK(alone.code == 2);
    CHECK(holds(alone.error, "steps of hinge are plain SGD, adam is for networks; use --optimizer sgd"));
    const Finished beside = with("adam,sgd");
    CAPTURE(beside.error);
    CHECK(beside.code == 0);
    CHECK(holds(beside.error, "adam is for networks"));
    CHECK(column(scratch.path, "optimizer") == std::vector<std::string>(2, ""));
}
