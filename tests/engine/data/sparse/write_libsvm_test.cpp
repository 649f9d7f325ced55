#include "engine/data/load.h"
#include "engine/data/sparse/write_libsvm.h"
#include "engine/error.h"
#include "tests/engine/data/samples.h"
#include "tests/engine/data/scratch.h"

#include <doctest/doctest.h>

#include <string>

namespace hogwild {
namespace {

TEST_CASE("a file written and loaded again holds the same bits") {
    const ScratchFiles scratch;
    LoadOptions options;
    options.use_cache = false;
    const Dataset data =
        load("synthetic:rows=270000,features=700,nonzeros=2,spread=1", options); // more than one window
    const std::string path = scratch.path("out.svm");
    write_libsvm(data.sparse(), path);
    CHECK(difference(data.sparse(), load(path, options).sparse()) == "");
    CHECK(text_of(path) == libsvm_text(data.sparse(), 0, data.sparse().rows));
    CHECK(scratch.files() == 1);
}

TEST_CASE("numbers are written in their shortest form") {
    const std::uint64_t offsets[] = {0, 3, 3};
    const std::uint32_t indices[] = {0, 9, 4294967294U};
    const float values[] = {0.1F, -2.0F, 1e-20F};
    const float labels[] = {1.0F, -0.5F};
    CHECK(libsvm_text({offsets, indices, values, labels, 2, 4294967295U}, 0, 2) ==
          "+1 1:0.1 10:-2 4294967295:1e-20\n-0.5\n");
}

TEST_CASE("a place that cannot be written is a disk failure") {
    const ScratchFiles scratch;
    LoadOptions options;
    options.use_cache = false;
    const Dataset data = load("synthetic:rows=10,features=7,nonzeros=2", options);
    const std::string path = scratch.path("no/such/folder/out.svm");
    try {
        write_libsvm(data.sparse(), path);
        FAIL("written");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kDisk);
        CHECK(std::string(error.what()) ==
              "cannot write " + path + " (No such file or directory); check that the folder exists and may be written");
    }
}

} // namespace
} // namespace hogwild
