#include "experiments/options/axes.h"

#include "engine/error.h"
#include "engine/plan/axes.h"

#include <doctest/doctest.h>

namespace hogwild {
namespace {

using Threads = std::vector<std::uint64_t>;

/// What the text gives the axis of this name.
std::vector<Real> reals(std::string_view name, std::string_view text) {
    return std::get<std::vector<Real>>(parse_values(axis(name), option_of(axis(name)), text, {4, 4}));
}

TEST_CASE("a thread range doubles and holds both ends") {
    CHECK(thread_list("--threads", "1..16", 4) == Threads{1, 2, 4, 8, 16});
    CHECK(thread_list("--threads", "1..12", 4) == Threads{1, 2, 4, 8, 12});
    CHECK(thread_list("--threads", "3..9", 4) == Threads{3, 4, 8, 9});
    CHECK(thread_list("--threads", "5..5", 4) == Threads{5});
}

TEST_CASE("all threads are the powers of two up to the usable cores and the cores themselves") {
    CHECK(thread_list("--threads", "all", 1) == Threads{1});
    CHECK(thread_list("--threads", "all", 6) == Threads{1, 2, 4, 6});
    CHECK(thread_list("--threads", "all", 16) == Threads{1, 2, 4, 8, 16});
}

TEST_CASE("workers of a model are numbers, a core's one, a node's cores, or all") {
    CHECK(cluster_list("--cluster", "core,node,3,machine,1", 8) == Threads{1, 8, 3, 4'096});
}

TEST_CASE("a value that is named twice is taken once") {
    CHECK(thread_list("--threads", "2,1..4,all", 4) == Threads{2, 1, 4});
    CHECK(name_list("--update", "racy,atomic,racy") == std::vector<std::string>{"racy", "atomic"});
    CHECK(real_list("--step-size", "0.1,1e-1,0.5") == std::vector<double>{0.1, 0.5});
}

TEST_CASE("a seed range counts") {
    CHECK(seed_list("--seed", "3..6,1") == std::vector<std::uint64_t>{3, 4, 5, 6, 1});
    CHECK(seed_list("--seed", "18446744073709551615") == std::vector<std::uint64_t>{18446744073709551615u});
    CHECK(seed_list("--seed", "18446744073709551614..18446744073709551615").size() == 2);
}

TEST_CASE("l2 may be one over the number of samples") {
    CHECK(reals("l2", "0,1/n,1e-4") == std::vector<Real>{0, Real(1, true), 1e-4});
}

TEST_CASE("a warm-up is of epochs or of samples") {
    CHECK(reals("warm_up", "0,0.5,2,1000samples,0.50") == std::vector<Real>{0, 0.5, 2, Real(1000, true)});
}

TEST_CASE("a value outside the grammar is a usage error that names option and value") {
    const auto message = [](const auto& parse) -> std::string {
        try {
            parse();
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::kUsage);
            return error.what();
        }
        return "no error";
    };
    for (const std::string text :
         {"0", "-1", "1.5", "x", "", "1,,2", "1,", "4..2", "1..", "..3", "0..4", "5000", " 1"}) {
        const std::string said = message([&] { thread_list("--threads", text, 4); });
        CAPTURE(text);
        CHECK(said.find("--threads cannot be '") == 0);
    }
    for (const std::string text : {"nan", "inf", "1e400", "0x1", "1..2", "0.1 "}) {
        CAPTURE(text);
        CHECK(message([&] { real_list("--step-size", text); }).find("--step-size cannot be '" + text + "'") == 0);
    }
    // Messages are in the words that were typed: a value that a bracket made is said with it.
    const std::string made = " cannot be '1.3' of '1,[1:2:0.3]' (";
    CHECK(message([] { thread_list("--threads", "1,[1:2:0.3]", 4); }).starts_with("--threads" + made));
    CHECK(message([] { cluster_list("--cluster", "1,[1:2:0.3]", 4); }).starts_with("--cluster" + made));
    CHECK(message([] { seed_list("--seed", "1,[1:2:0.3]"); }).starts_with("--seed" + made));
    CHECK(message([] { count_list("--batch", "1,[1:2:0.3]"); }).starts_with("--batch" + made));
    CHECK(message([] { count_list("--batch", "x,[1:2]"); }).starts_with("--batch cannot be 'x' ("));
    CHECK(message([] {
              reals("step_scale", "1,-10e-1");
          }).starts_with("--step-scale cannot be '-10e-1' (it is not above"));
    for (const std::string text : {"4294967296", "-1", "1e3"}) {
        CHECK(message([&] { count_list("--batch", text); }).find("--batch cannot be '" + text + "'") == 0);
    }
    for (const std::string text : {"0", "4097", "socket", "-1", "1..4", ""}) {
        CAPTURE(text);
        CHECK(message([&] { cluster_list("--cluster", text, 8); }).find("--cluster cannot be '") == 0);
    }
    CHECK(message([] { seed_list("--seed", "1..1000000000"); }).find("too many") != std::string::npos);
    CHECK(message([] { seed_list("--seed", "0..18446744073709551615"); }).find("too many") != std::string::npos);
    CHECK(message([] { reals("l2", "2/n"); }).find("1/n") != std::string::npos);
    for (const std::string text : {"-1", "x", "nan", "1.5samples", "-5samples", "samples", "10 samples", "10steps"}) {
        CAPTURE(text);
        CHECK(message([&] { reals("warm_up", text); }).find("--warm-up cannot be '" + text + "'") == 0);
    }
}

} // namespace
} // namespace hogwild

TEST_CASE("more threads than usable cores are capped, each number once") {
    std::vector<std::uint64_t> threads{1, 2, 4, 8, 16};
    CHECK(hogwild::cap_threads(threads, 4));
    CHECK(threads == std::vector<std::uint64_t>{1, 2, 4});
    CHECK_FALSE(hogwild::cap_threads(threads, 4));
    CHECK(threads == std::vector<std::uint64_t>{1, 2, 4});
}
