#include "experiments/text/exit_code.h"

#include <doctest/doctest.h>

namespace hogwild {
namespace {

TEST_CASE("of several exit codes the one that a caller must know first is said") {
    CHECK(Verdict{}.exit_code() == 0);
    CHECK(Verdict{.missed_target = true}.exit_code() == 4);
    CHECK(Verdict{.diverged = true, .missed_target = true}.exit_code() == 3);
    CHECK(Verdict{.run_failed = true, .diverged = true, .missed_target = true}.exit_code() == 1);
    CHECK(Verdict{.disk_failed = true, .run_failed = true, .diverged = true}.exit_code() == 74);
    CHECK(Verdict{.interrupted = true, .disk_failed = true, .diverged = true}.exit_code() == 130);
}

} // namespace
} // namespace hogwild
