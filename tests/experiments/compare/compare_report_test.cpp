// Laws of the text that compares: settings are shown as they were asked for, once, and intervals by what they are.
#include "engine/plan/plan.h"
#include "experiments/compare/compare_report.h"
#include "experiments/folder/result.h"

#include "tests/experiments/summaries.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

namespace hogwild {
namespace {

const Metric kTimeMetric = parse_metric("time-to-target");

std::string text_against(const std::string& best, const std::vector<Result>& runs) {
    const Scratch scratch;
    const Summary summary = read_summary(made_up_folder(scratch.path / "a", runs).string(), {});
    return compare_report(compare_with_best(summary, parse_against(best), kTimeMetric), kTimeMetric, "a", "a");
}

bool has_line(const std::string& text, const std::string& line) {
    return text.find('\n' + line + '\n') != std::string::npos;
}

TEST_CASE("settings that are whole numbers are shown to their last digit, of what others are compared with too") {
    std::vector<Result> runs;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        for (const std::uint32_t exchange : {1024U, 4096U, 16384U}) {
            Result run = made_up_run("local-sgd", 2, seed, 1 + 1e-5 * exchange);
            run.plan.exchange.period = exchange;
            run.run += std::to_string(exchange);
            runs.push_back(run);
        }
    }
    const std::string text = text_against("scheme=local-sgd", runs);
    for (const char* shown : {" exchange 1,024 (", " 4,096 ", " 16,384 "}) {
        CHECK_MESSAGE(text.find(shown) != std::string::npos, text);
    }
}

TEST_CASE("settings that all rows have alike are said below the table, and only those") {
    std::vector<Result> runs = five_seeds(0.5);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        for (const double step : {0.25, 0.5}) {
            Result run = made_up_run("hogwild", 2, seed, 2);
            run.plan.step.size = step;
            run.run += "-" + std::to_string(step);
            runs.push_back(run);
        }
        runs.push_back(made_up_run("serial", 1, seed, 3));
        runs.back().plan.step.size = 7;
        runs.back().run += "-slow";
    }
    for (Result& run : runs) run.plan.epochs = 1200;
    const std::string text = text_against("scheme=serial", runs);
    const std::size_t begin = text.find("\nin every row: ");
    REQUIRE_MESSAGE(begin != std::string::npos, text);
    const std::string line = text.substr(begin + 1, text.find('\n', begin + 1) - begin);
    CHECK_MESSAGE(line.find(" epochs 1,200") != std::string::npos, line);
    CHECK_MESSAGE(line.find(" step decay") != std::string::npos, line);
    CHECK_MESSAGE(line.find("; where they mean something: threads 2") != std::string::npos, line); // not of serial code
    for (const char* elsewhere : {"step size", "scheme", "problem", "data", "l2"})
        CHECK_MESSAGE(line.find(elsewhere) == std::string::npos, line);
}

TEST_CASE("workers and step sizes have a column wherever they differ, if only between schemes") {
    std::vector<Result> runs = five_seeds(0.5);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        runs.push_back(made_up_run("local-sgd", 4, seed, 2));
        runs.back().plan.step.size = 0.25;
        runs.back().plan.epochs = 7;
    }
    const std::string text = text_against("scheme=serial", runs);
    CHECK_MESSAGE(text.find("  threads  step_size  seeds ") != std::string::npos, text);
    CHECK_MESSAGE(text.find(" epochs ", text.find("\n\n")) == std::string::npos,
                  text); // neither in a line of what all have
}

TEST_CASE("of two folders a setting in which they differ is in no line of what all have") {
    const auto text_of = [](double step_of_b) {
        const Scratch scratch;
        std::vector<Result> other = five_seeds(0.5);
        for (Result& run : other) run.plan.step.size = step_of_b;
        const Summary a = read_summary(made_up_folder(scratch.path / "a", five_seeds(1)).string(), {});
        const Summary b = read_summary(made_up_folder(scratch.path / "b", other).string(), {});
        return compare_report(compare_folders(a, b, kTimeMetric), kTimeMetric, "a", "b");
    };
    const double step = Plan{}.step.size;
    CHECK(text_of(step).find(", step size ") != std::string::npos);
    CHECK(text_of(2 * step).find(", step size ") == std::string::npos);
    CHECK(text_of(step).find("in every row: problem hinge, data synthetic:rcv1/20, ") != std::string::npos);
}

TEST_CASE("the footer says what the interval is") {
    CHECK(has_line(text_against("scheme=serial", five_seeds(0.5)),
                   "speed-up: expected A / expected B, runs paired by seed, interval: the wider of a bootstrap and a t "
                   "interval; SAME: all of it within 5 %"));
}

} // namespace
} // namespace hogwild
