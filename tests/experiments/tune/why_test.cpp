// What tuning says of the winner beside serial code: in words, as JSON and in a manifest.
#include "experiments/json.h"
#include "experiments/tune/tune.h"

#include <doctest/doctest.h>

#include <limits>

using namespace hogwild;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Finalist of(const char* scheme, unsigned race, double seconds, double updates) {
    Finalist each{.plan = {}, .standing = {.race = race, .rung = 3}, .reached = 3, .runs = 3};
    each.plan.scheme = scheme;
    each.seconds = seconds;
    each.updates = updates;
    each.rate = updates / seconds;
    return each;
}

Tuned of(const std::vector<Finalist>& finalists, const std::optional<Finalist>& serial) {
    Tuned tuned;
    tuned.finalists = finalists;
    tuned.serial = serial;
    return tuned;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

const Finalist kWinner = of("hogwild", 2, 2e-3, 6e4), kSerial = of("serial", 2, 5e-3, 5e4);

} // namespace

TEST_CASE("the winner is as many times as fast as serial code as it makes more updates a second, over more updates") {
    const Tuned tuned = of({kWinner, kSerial}, kSerial);
    const std::string sentence =
        "2.5 times as fast as serial = 3 times the updates per second / 1.2 times the updates\n";
    CHECK(why(tuned) == sentence);
    CHECK(has(tune_report(tuned, 1), ("\n" + sentence + "again: ").c_str()));
}

TEST_CASE("words, JSON and manifest compare the winner with one serial code, however fast another race's was") {
    const Finalist elsewhere = of("serial", 3, 1e-3, 1e4);
    const Tuned tuned = of({kWinner, elsewhere, kSerial}, kSerial);
    const Json told = json_of(tune_json(tuned, 1)), kept = json_of(tuned_text(tuned, 1));
    for (const char* number : {"seconds_to_target", "updates_to_target", "updates_per_second"}) {
        CHECK(kept.at(number) == told.at("finalists").at(0).at(number));
        CHECK(kept.at("serial").at(number) == told.at("serial").at(number));
    }
    CHECK(told.at("serial").at("race") == told.at("finalists").at(0).at("race"));
    CHECK(kept.at("serial").at("seconds_to_target") == 5e-3);
    CHECK(has(why(tuned), "2.5 times as fast as serial"));
    CHECK(has(tune_report(tuned, 1), "; the first line is compared with the serial code of its rung\n"));
    CHECK_FALSE(has(tune_report(of({kWinner, kSerial}, kSerial), 1), "times compare within"));
}

TEST_CASE("where there is nothing to compare, no ratio is told, but why") {
    const Finalist missed = of("serial", 2, kInfinite, 0);
    const auto says = [&](const Tuned& tuned, const char* reason) {
        CHECK(has(why(tuned), reason));
        CHECK_FALSE(has(why(tuned), "times as fast"));
    };
    says(of({kWinner}, {}), "serial code was not tried");
    says(of({kWinner, missed}, missed), "serial code did not reach the target in most of its runs beside it");
    says(of({kSerial, kWinner}, kSerial), "nothing was faster than serial code in its last rung");
    says(of({of("hogwild", 2, kInfinite, 0), kSerial}, kSerial), "no candidate reached the target");
    const Finalist there = of("serial", 2, 0, 0);
    says(of({of("hogwild", 2, 0, 0), there}, there), "the target is reached before the first step");
}

TEST_CASE("a manifest has no numbers of what missed the target, and none of serial code beside it") {
    const Finalist missed = of("hogwild", 2, kInfinite, 6e4);
    const Json nobody = json_of(tuned_text(of({missed, kSerial}, kSerial), 1));
    for (const char* number : {"seconds_to_target", "updates_to_target", "updates_per_second", "serial"})
        CHECK(nobody.at(number).is_null());
    const Json alone = json_of(tuned_text(of({kWinner}, {}), 1));
    CHECK(alone.at("updates_to_target") == 6e4);
    CHECK(alone.at("serial").is_null());
    CHECK(json_of(tuned_text(of({kWinner, missed}, missed), 1)).at("serial").is_null());
}
