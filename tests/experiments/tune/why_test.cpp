// What tuning says of the winner beside serial code: in words, as JSON and in a manifest.
#include "engine/plan/plan.h"
#include "experiments/text/json.h"
#include "experiments/tune/tune.h"

#include <doctest/doctest.h>

#include <limits>

using namespace hogwild;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Finalist of(const char* scheme, double seconds, double updates, std::optional<RatioInterval> over = {}) {
    Finalist each{.plan = {}, .reached = 3, .runs = 3, .over_serial = over};
    each.plan.scheme = scheme;
    each.seconds = seconds;
    each.updates = updates;
    each.rate = updates / seconds;
    return each;
}

Tuned of(const std::vector<Finalist>& finalists, std::optional<std::size_t> serial, unsigned seeds = 3) {
    Tuned tuned;
    tuned.finalists = finalists;
    tuned.serial = serial;
    tuned.finals.seeds = seeds;
    return tuned;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

const Finalist kWinner = of("hogwild", 2e-3, 6e4, RatioInterval{2.5, 2, 3}), kSerial = of("serial", 5e-3, 5e4);

} // namespace

TEST_CASE("the winner is as many times as fast as serial code as it makes more updates a second, over more updates") {
    const Tuned tuned = of({kWinner, kSerial}, 1);
    const std::string sentence = "2.5 [2 .. 3] times as fast as serial = 3 times the updates per second / 1.2 times "
                                 "the updates: FASTER, 3 seeds\n";
    CHECK(why(tuned) == sentence);
    CHECK(has(tune_report(tuned, 1), ("\nbest: hinge hogwild")));
    CHECK(has(tune_report(tuned, 1), ("\n" + sentence + "again: ").c_str()));
}

TEST_CASE("a winner of which serial code is not surely slower is called undecided") {
    const Tuned tuned = of({of("hogwild", 2e-3, 6e4, RatioInterval{2.5, 0.7, 9}), kSerial}, 1);
    CHECK(has(why(tuned), "UNDECIDED, 3 seeds\nundecided: serial code may be as fast"));
    CHECK_FALSE(has(why(of({kWinner, kSerial}, 1)), "undecided"));
}

TEST_CASE("serial code that may have a better step is said to, and else who needs far fewer updates") {
    const Finalist few = of("hogwild", 2e-3, 4e4, RatioInterval{2.5, 2, 3});
    const char* fewer =
        "\nit needs fewer updates than serial code, which is slower at every other step that was tried\n";
    const char* open = "\nserial code may be faster at a step beside its best one, which was not tried long enough; "
                       "try a longer --budget\n";
    Tuned tuned = of({few, kSerial}, 1);
    CHECK(has(why(tuned), fewer));
    CHECK_FALSE(has(why(tuned), "beside"));
    CHECK_FALSE(has(why(of({of("hogwild", 2e-3, 4.6e4, RatioInterval{2.5, 2, 3}), kSerial}, 1)), "fewer"));
    CHECK(json_of(tune_json(tuned, 1)).at("serial_step") == "tried");
    for (const Finalist& winner : {few, kWinner}) {
        tuned = of({winner, kSerial}, 1);
        tuned.serial_step = StepSides::kUntried;
        CHECK(has(why(tuned), open));
        CHECK_FALSE(has(why(tuned), "fewer updates"));
        CHECK(json_of(tune_json(tuned, 1)).at("serial_step") == "untried");
        tuned.serial_step = StepSides::kEdge;
        CHECK(has(why(tuned), "at a step beyond its best one, the last that is searched; try --step-scale\n"));
        CHECK_FALSE(has(why(tuned), "fewer updates"));
        CHECK(json_of(tune_json(tuned, 1)).at("serial_step") == "edge");
    }
}

TEST_CASE("a winner that missed in some runs, and runs that waited for cores, are told") {
    Finalist best = kWinner;
    best.runs = 4;
    const char *missed = "\nit missed the target in 1 of 4 runs", *waited = "\nmost runs waited for cores";
    Tuned tuned = of({best, kSerial}, 1);
    CHECK(has(why(tuned), missed));
    CHECK_FALSE(has(why(of({kWinner, kSerial}, 1)), "missed"));
    tuned.finals.runs = 8;
    tuned.disturbed = 4;
    CHECK_FALSE(has(why(tuned), waited));
    tuned.disturbed = 5;
    CHECK(has(why(tuned), waited));
}

TEST_CASE("of a rival that never got there in the finals no speed is told") {
    Finalist rival = of("hogwild", kInfinite, 0, RatioInterval{0, 0, kInfinite});
    rival.reached = 0;
    const Tuned tuned = of({kSerial, rival}, 0);
    CHECK(why(tuned) == "no other one reached the target in the finals\n");
}

TEST_CASE("who has had all seeds is not told that a longer budget has more") {
    const std::vector<Finalist> both{of("hogwild", 2e-3, 6e4, RatioInterval{2.5, 0.7, 9}), kSerial};
    CHECK(has(why(of(both, 1, kMostSeeds)), "; a sweep of the two with more seeds could tell\n"));
    CHECK(has(why(of(both, 1, kMostSeeds - 1)), "; try a longer --budget\n"));
}

TEST_CASE("words, JSON and manifest have the same numbers of the winner and of serial code") {
    const Tuned tuned = of({kWinner, kSerial}, 1);
    const Json told = json_of(tune_json(tuned, 1)), kept = json_of(tuned_text(tuned, 1));
    for (const char* number : {"seconds_to_target", "updates_to_target", "updates_per_second"}) {
        CHECK(kept.at(number) == told.at("finalists").at(0).at(number));
        CHECK(kept.at("serial").at(number) == told.at("serial").at(number));
    }
    CHECK(kept.at("serial").at("seconds_to_target") == 5e-3);
    CHECK(kept.at("over_serial") == told.at("finalists").at(0).at("over_serial"));
    CHECK(kept.at("over_serial").at("low") == 2);
    CHECK(kept.at("over_serial").at("verdict") == "FASTER");
    CHECK(told.at("serial").at("over_serial").is_null());
    CHECK(kept.at("seeds") == 3);
}

TEST_CASE("where there is nothing to compare, no ratio is told, but why") {
    const Finalist missed = of("serial", kInfinite, 0), there = of("serial", 0, 0);
    const auto says = [&](const Tuned& tuned, const char* reason) {
        CHECK(has(why(tuned), reason));
        CHECK_FALSE(has(why(tuned), "times as fast"));
    };
    says(of({kWinner}, {}), "serial code did not reach the target in most runs of any rung");
    Tuned without = of({kWinner}, {});
    without.serials = false;
    says(without, "serial code was not asked for, so nothing is compared with it; add it to --scheme");
    Finalist seldom = kWinner;
    seldom.reached = 1;
    says(of({seldom, kSerial}, 1), "it reached the target in 1 of 3 runs only; try");
    says(of({kSerial, of("hogwild", 6e-3, 5e4, RatioInterval{0.8, 0.3, 2})}, 0),
         "serial code was the soonest, but not for certain: the best other one is at 0.8 [0.3 .. 2] of its speed, "
         "UNDECIDED");
    says(of({kWinner, missed}, 1), "serial code did not reach the target beside it");
    says(of({kSerial, of("hogwild", 6e-3, 5e4, RatioInterval{0.8, 0.7, 0.9})}, 0),
         "nothing was faster than serial code: the best other one is at 0.8 [0.7 .. 0.9] of its speed, SLOWER\n");
    says(of({kSerial}, 0), "nothing but serial code reached the target in most runs of a rung\n");
    Tuned alone = of({kSerial}, 0);
    alone.rivals = false;
    says(alone, "nothing but serial code was asked for\n");
    Tuned missed_there = of({kWinner, kSerial}, 1, 0);
    missed_there.finals.runs = 4;
    says(missed_there, "the finals were cut off or nobody reached the target in them, so nothing is compared; try");
    says(of({of("hogwild", kInfinite, 0), kSerial}, 1), "no candidate reached the target");
    says(of({of("hogwild", 0, 0), there}, 1), "the target is reached before the first step");
    says(of({kWinner, kSerial}, 1, 0), "the best did not meet in finals, so nothing is compared");
}

TEST_CASE("defaults that missed the target are not called the best, and an interrupt is named") {
    Tuned tuned = of({of("hogwild", kInfinite, 0)}, {}, 0);
    tuned.race.stopped = true;
    tuned.race.spent = 8;
    CHECK(has(tune_report(tuned, 60), "\nby default: hinge hogwild"));
    CHECK(has(tune_report(tuned, 60), "\ninterrupted after 8 s: no candidate reached the target"));
    tuned = of({of("hogwild", 2e-3, 6e4, RatioInterval{2.5, 0.7, 9}), kSerial}, 1);
    CHECK(has(why(tuned), "a longer --budget"));
    tuned.race.stopped = true;
    tuned.race.spent = 8;
    CHECK(has(why(tuned), "interrupted after 8 s: 2.5 "));
    CHECK_FALSE(has(why(tuned), "--budget"));
}

TEST_CASE("a manifest has no numbers of what missed the target, and none of serial code beside it") {
    const Finalist missed = of("hogwild", kInfinite, 6e4);
    const Json nobody = json_of(tuned_text(of({missed, kSerial}, 1), 1));
    for (const char* number : {"seconds_to_target", "updates_to_target", "updates_per_second", "serial"})
        CHECK(nobody.at(number).is_null());
    const Json alone = json_of(tuned_text(of({kWinner}, {}), 1));
    CHECK(alone.at("updates_to_target") == 6e4);
    CHECK(alone.at("serial").is_null());
    CHECK(json_of(tuned_text(of({kWinner, missed}, 1), 1)).at("serial").is_null());
}
