// Seeded simulations: thresholds come from what the same cases gave over 300 repetitions.
#include "experiments/statistics/judgement.h"

#include "kernels/numbers/random.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace hogwild {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

/// Random numbers by position, so that a case is the same on every machine.
class Noise {
public:
    explicit Noise(std::uint64_t seed) : key_(philox_key(seed)) {}

    double uniform() { // above 0
        const PhiloxCounter bits =
            philox({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ >> 32)}, key_);
        ++at_;
        return 1 - unit_double(std::uint64_t{bits[0]} << 32 | bits[1]);
    }
    double normal() {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

private:
    PhiloxKey key_;
    std::uint64_t at_ = 0;
};

Trial reached(double seconds) { return {seconds, 1, 1}; }

using Method = std::function<Trial(Noise&, double shared)>;

/// Runs that share their seed's luck, as two schemes on the same order of samples do.
std::vector<TrialPair> measure(Noise& noise, std::size_t seeds, const Method& a, const Method& b) {
    std::vector<TrialPair> pairs;
    for (std::size_t i = 0; i < seeds; ++i) {
        const double shared = 0.1 * noise.normal();
        const Trial of_a = a(noise, shared); // in this order, whatever the compiler
        pairs.push_back({of_a, b(noise, shared)});
    }
    return pairs;
}

Trial quiet(Noise& noise, double shared) { return reached(std::exp(shared + 0.05 * noise.normal())); }
Trial wild(Noise& noise, double) { return reached(std::exp(0.5 * noise.normal())); }
Trial heavy_tailed(Noise& noise, double) { return reached(std::pow(noise.uniform(), -1 / 1.5)); } // infinite variance
Trial hiccups(Noise& noise, double shared) {
    const double pause = noise.uniform() < 0.15 ? 1 + 9 * noise.uniform() : 1;
    return reached(pause * std::exp(shared + 0.05 * noise.normal()));
}
Trial sometimes_missed(Noise& noise, double) {
    if (noise.uniform() < 0.3) return {3, 0, 1};
    return reached(std::exp(0.2 * noise.normal()));
}
Trial mostly_censored(Noise& noise, double) {
    const double luck = noise.uniform();
    if (luck < 0.2) return {0.2, 0, 0}; // diverged
    if (luck < 0.6) return {1.5, 0, 1}; // missed
    return reached(std::exp(0.1 * noise.normal()));
}

const std::vector<std::pair<std::string, Method>> kMethods{
    {"quiet", quiet},
    {"wild", wild},
    {"heavy-tailed", heavy_tailed},
    {"hiccups", hiccups},
    {"sometimes missed", sometimes_missed},
    {"mostly censored", mostly_censored},
};

TEST_CASE("a method against itself is not FASTER in at least 95 of 100 repetitions, nor SLOWER") {
    constexpr std::size_t kRepetitions = 400; // of 100, one count in 36 would exceed 5 by chance
    for (const std::size_t seeds : {3, 5, 10}) {
        for (const auto& [title, method] : kMethods) {
            const std::string name_of = title;
            CAPTURE(seeds);
            CAPTURE(name_of);
            Noise noise(100 + seeds);
            std::size_t faster = 0, slower = 0;
            for (std::size_t repetition = 0; repetition < kRepetitions; ++repetition) {
                const Judgement found = judge(ratio_interval(measure(noise, seeds, method, method)));
                faster += found == Judgement::kFaster ? 1 : 0;
                slower += found == Judgement::kSlower ? 1 : 0;
            }
            CHECK(faster * 100 <= 5 * kRepetitions);
            CHECK(slower * 100 <= 5 * kRepetitions);
        }
    }
}

TEST_CASE("a method that is 20 % faster with little noise is FASTER, one as fast is SAME once seeds suffice") {
    Noise noise(7);
    const Method faster = [](Noise& n, double shared) { return reached(0.8 * std::exp(shared + 0.02 * n.normal())); };
    const Method same = [](Noise& n, double shared) { return reached(std::exp(shared + 0.01 * n.normal())); };
    for (const std::size_t seeds : {5, 10}) {
        std::size_t found_faster = 0, found_slower = 0, found_same = 0;
        for (int repetition = 0; repetition < 40; ++repetition) {
            found_faster += judge(ratio_interval(measure(noise, seeds, same, faster))) == Judgement::kFaster ? 1 : 0;
            found_slower += judge(ratio_interval(measure(noise, seeds, faster, same))) == Judgement::kSlower ? 1 : 0;
            found_same += judge(ratio_interval(measure(noise, seeds, same, same))) == Judgement::kSame ? 1 : 0;
        }
        CHECK(found_faster == 40);
        CHECK(found_slower == 40);
        CHECK(found_same == 40);
    }
}

TEST_CASE("the interval holds the true ratio about as often as it says") {
    const Method slower = [](Noise& noise, double shared) {
        return reached(1.5 * std::exp(shared + 0.05 * noise.normal()));
    };
    for (const std::size_t seeds : {3, 5, 10}) {
        CAPTURE(seeds);
        Noise noise(200 + seeds);
        std::size_t held = 0;
        constexpr std::size_t kRepetitions = 200;
        for (std::size_t repetition = 0; repetition < kRepetitions; ++repetition) {
            const RatioInterval of = ratio_interval(measure(noise, seeds, quiet, slower));
            held += of.low <= 1.5 && 1.5 <= of.high ? 1 : 0;
        }
        // 95 % of 200 is 190 with a standard error of 3.1; percentiles alone hold 0.75 at three seeds.
        CHECK(held >= 180);
        CHECK(held < kRepetitions);
    }
}

TEST_CASE("swapping the sides turns ratio and interval upside down, and no number changes on a second call") {
    Noise noise(3);
    for (const auto& [title, method] : kMethods) {
        const std::string name_of = title;
        CAPTURE(name_of);
        const std::vector<TrialPair> pairs = measure(noise, 6, method, quiet);
        std::vector<TrialPair> swapped;
        for (const TrialPair& pair : pairs) swapped.push_back({pair.b, pair.a});
        const RatioInterval there = ratio_interval(pairs), back = ratio_interval(swapped),
                            again = ratio_interval(pairs);
        CHECK(there.low == again.low);
        CHECK(there.high == again.high);
        if (there.ratio > 0 && there.ratio < kForever) CHECK(there.ratio * back.ratio == doctest::Approx(1));
        if (there.low > 0) CHECK(there.low * back.high == doctest::Approx(1));
        if (there.low == 0) CHECK(back.high == kForever);
    }
}

TEST_CASE("with one or two seeds every ratio is possible") {
    const std::vector<TrialPair> pairs{{reached(1), reached(2)}, {reached(1), reached(2)}};
    for (const std::size_t seeds : {1, 2}) {
        const RatioInterval of = ratio_interval(std::span(pairs).first(seeds));
        CHECK(of.ratio == 2);
        CHECK(of.low == 0);
        CHECK(of.high == kForever);
        CHECK(judge(of) == Judgement::kUndecided);
    }
}

TEST_CASE("who never got there is SLOWER only as far as its runs went on") {
    const auto against = [](const Trial& b) {
        return ratio_interval(std::vector<TrialPair>(5, TrialPair{reached(1), b}));
    };
    CHECK(judge(against({10, 0, 1})) == Judgement::kSlower);
    CHECK(against({10, 0, 1}).low == doctest::Approx(10));
    CHECK(against({10, 0, 1}).high == kForever);
    CHECK(judge(against({0.5, 0, 1})) == Judgement::kUndecided); // stopped before A got there
    CHECK(judge(against({0.5, 0, 0})) == Judgement::kSlower);    // diverged: it never would have
    const RatioInterval neither = ratio_interval(std::vector<TrialPair>(5, TrialPair{{10, 0, 1}, {1, 0, 1}}));
    CHECK(std::isnan(neither.ratio));
    CHECK(judge(neither) == Judgement::kUndecided);
}

TEST_CASE("SAME wants the whole interval within 5 %, from either side") {
    CHECK(judge({1, 0.96, 1.05}) == Judgement::kSame);
    CHECK(judge({0.98, 0.97, 0.99}) == Judgement::kSame);
    CHECK(judge({0.96, 0.94, 0.98}) == Judgement::kFaster);
    CHECK(judge({1.04, 1.01, 1.06}) == Judgement::kSlower);
    CHECK(judge({1, 0.9, 1.1}) == Judgement::kUndecided);
    CHECK(judge({0.9, 0.8, 1}) == Judgement::kUndecided);
}

} // namespace
} // namespace hogwild
