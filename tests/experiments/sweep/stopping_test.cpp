// Sweeps that somebody stops.
#include "tests/experiments/sweep/sweeps.h"

using namespace hogwild;

TEST_CASE("after an interrupt the same command goes on, and what was done is not done again") {
    const SpecFile spec;
    {
        Child child = spec.start();
        CHECK(child.wait_for_error("[2/4]"));
        child.interrupt();
        CHECK(child.finish() == 130);
        CHECK(child.error.find("runs are left; the same command goes on with them") != std::string::npos);
    }
    CHECK(spec.run().code == 0);
    check_whole(spec);
}

TEST_CASE("a folder has one runner at a time, whose end frees it however it ends") {
    const SpecFile spec(
        "[run]\ndata='synthetic:rows=20000,features=400,nonzeros=20'\nno-cache=true\nepochs=4000\nscheme='serial'");
    Child first = spec.start();
    CHECK(first.wait_for_error("data: "));
    const Finished second = spec.run();
    CHECK(second.code == 2);
    CHECK(second.error.find("out is being worked on (another `hogwild` has locked it)") != std::string::npos);
    first.kill_now();
    CHECK(spec.run({"--set", "run.epochs=1"}).code == 0);
}
