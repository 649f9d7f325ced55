// Short numbers as a user of the program meets them.
#include "engine/plan/choices.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "experiments/plans/product.h"
#include "tests/experiments/program.h"

#include <doctest/doctest.h>

#include <string>

using namespace hogwild;

TEST_CASE("serial and hogwild run on short numbers beside floats, told apart by their memory, without a GPU") {
    const Scratch scratch;
    const Finished done = run_tiny(scratch.path, {"--scheme", "serial,hogwild", "--threads", "1,2", "--memory",
                                                  "host,host-bf16,host-int8-shared", "--int8-range", "8"});
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK(holds(done.out, "host-bf16"));
    CHECK(holds(done.out, "host-int8-shared"));
    CHECK(holds(done.error, "note: --memory host-bf16 is --memory host --numbers bf16\n"));
    CHECK(holds(done.error, "note: --memory host-int8-shared is --memory host --numbers int8 --rounding shared\n"));
}

TEST_CASE("a memory's numbers and roundings are axes: their product is run, without a note") {
    const Scratch scratch;
    const Finished done = run_tiny(scratch.path, {"--scheme", "hogwild", "--threads", "1", "--numbers", "float32,int8",
                                                  "--rounding", "unbiased,nearest"});
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK(holds(done.error, "3 runs"));
    CHECK_FALSE(holds(done.error, " is --memory"));
    std::string folders;
    for (const auto& each : fs::directory_iterator(scratch.path / "out"))
        folders += each.path().filename().string() + ' ';
    CHECK_MESSAGE(holds(folders, "hogwild-racy-t1-s1 "), folders);
    CHECK_MESSAGE(holds(folders, "hogwild-racy-host-int8-t1-s1 "), folders);
    CHECK_MESSAGE(holds(folders, "hogwild-racy-host-int8-nearest-t1-s1 "), folders);
}

TEST_CASE("what short numbers do not take is left out with its reason, or is a slip") {
    const Scratch scratch;
    const Finished done =
        run_tiny(scratch.path, {"--scheme", "hogwild", "--update", "racy,atomic", "--memory", "host-int8"});
    CHECK(done.code == 0);
    CHECK(holds(done.error + done.out, "a rounded number is written by a plain store"));
    const Scratch another;
    const Finished slip = run_tiny(another.path, {"--numbers", "int4"});
    CHECK(slip.code == 2);
    CHECK(holds(slip.error, "did you mean int8?"));
    CHECK(run_tiny(another.path, {"--memory", "host-int4"}).code == 2);
    const Finished range = run_tiny(another.path, {"--memory", "host-int8", "--int8-range", "0"});
    CHECK(range.code == 2);
    CHECK(holds(range.error, "--int8-range"));
}

TEST_CASE("serial has a choice of memory among short numbers alone, and a range is int8's") {
    Axes axes;
    axes.texts("scheme") = {"serial", "hogwild", "local-sgd"};
    axes.texts("memory") = {"host", "host-bf16", "host-int8"};
    axes.counts("threads") = {2};
    axes.reals("int8_range") = {2};
    std::vector<std::string> found;
    for (const Plan& plan : product(axes, 1000, {}).plans) {
        CHECK(plan.int8_range == (plan.numbers == "int8" ? 2 : Plan{}.int8_range));
        CHECK_FALSE(wants_gpu(plan));
        found.push_back(plan.scheme + " " + memory_name(plan));
    }
    CHECK(found == std::vector<std::string>{"serial host", "serial host-bf16", "serial host-int8", "hogwild host",
                                            "hogwild host-bf16", "hogwild host-int8", "local-sgd host"});
}
