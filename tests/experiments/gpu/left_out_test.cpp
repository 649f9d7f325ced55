// What cannot run on a machine that has a GPU is refused with its own reason.
#include "tests/device.h"
#include "tests/experiments/program.h"

using namespace hogwild;

TEST_CASE("memory that a device cannot reach, and schemes that take no GPU, say so before anything is read") {
    if (no_device()) return;
    const auto refusal = [](const std::vector<std::string>& words) {
        const Scratch scratch;
        const Finished done = run_tiny(scratch.path, words, "no-such-file.svm");
        CHECK(done.code == 2);
        CHECK(done.out == "");
        return done.error;
    };
    CHECK(holds(refusal({"--scheme", "hogwild", "--device", "cpu", "--memory", "device"}),
                "(CPU threads cannot reach device memory)"));
    CHECK(holds(refusal({"--scheme", "hogwild", "--device", "gpu", "--memory", "host"}),
                "(a GPU cannot reach host memory)"));
    CHECK(holds(refusal({"--scheme", "hogwild", "--device", "cpu", "--memory", "replica"}), "no GPU steps"));
    CHECK(holds(refusal({"--scheme", "serial", "--device", "gpu"}),
                "a GPU for serial cannot be used (only hogwild, minibatch and, of networks, async-local-sgd have "
                "workers there)"));
}
