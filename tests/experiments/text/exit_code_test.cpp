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

TEST_CASE("how runs end adds up to a verdict, whatever their order") {
    Verdict verdict;
    verdict.add(kDoneStatus);
    CHECK(verdict.exit_code() == 0);
    verdict.add(kDivergedStatus);
    verdict.add(kDoneStatus);
    CHECK(verdict.exit_code() == 3);
    verdict.add(kFailedStatus);
    verdict.add(kDivergedStatus);
    CHECK(verdict.exit_code() == 1);
    verdict.add(kInterruptedStatus);
    verdict.add(kDoneStatus);
    CHECK(verdict.exit_code() == 130);
}

} // namespace
} // namespace hogwild
