#include "engine/plan/plan.h"
#include "experiments/compare/speedup_table.h"
#include "experiments/folder/result.h"

#include "experiments/files/csv_reader.h"
#include "tests/experiments/summaries.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <string>

namespace hogwild {
namespace {

/// Ten seeds whose time is that of serial times `factor`, with a noise that both sides share.
void add_ten(std::vector<Result>& runs, const std::string& scheme, unsigned threads, double factor,
             const std::string& update = "") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const double noise = 1 + 0.01 * static_cast<double>(seed * seed % 7);
        runs.push_back(made_up_run(scheme, threads, seed, factor * noise));
        if (!update.empty()) runs.back().plan.update = update;
        runs.back().run += update;
    }
}

struct Table {
    Scratch scratch;
    std::string text;

    explicit Table(const std::vector<Result>& runs, const std::string& choices = "") {
        const auto folder = made_up_folder(scratch.path / "runs", runs);
        if (!choices.empty()) std::ofstream(folder / "choices.csv") << choices;
        write_speedup(folder.string());
        if (std::filesystem::exists(folder / "speedup.csv")) text = text_of(folder / "speedup.csv");
    }

    /// "hogwild 2" -> its cells.
    std::map<std::string, std::vector<std::string>> rows() const {
        std::map<std::string, std::vector<std::string>> rows;
        const auto records = read_csv(text, "speedup.csv").records;
        for (std::size_t i = 1; i < records.size(); ++i)
            rows[records[i].fields.at(2) + ' ' + records[i].fields.at(4)] = records[i].fields;
        return rows;
    }
};

} // namespace

TEST_CASE("a speed-up is the ratio of times to the target, exactly, and lies within its interval") {
    std::vector<Result> runs;
    add_ten(runs, "serial", 1, 1);
    add_ten(runs, "hogwild", 1, 2);
    add_ten(runs, "hogwild", 2, 0.5);
    add_ten(runs, "local-sgd", 2, 0.25);
    add_ten(runs, "minibatch", 1, 1);
    const Table table(runs);
    CHECK(table.text.starts_with("data,problem,scheme,kind,workers,speedup,low,high\n"));
    const std::map<std::string, double> expected{
        {"hogwild 1", 0.5}, {"hogwild 2", 2}, {"local-sgd 2", 4}, {"minibatch 1", 1}};
    const auto rows = table.rows();
    CHECK(rows.size() == expected.size());
    for (const auto& [name, value] : expected) {
        const auto& row = rows.at(name);
        CAPTURE(row[2]);
        const double speedup = std::stod(row[5]), low = std::stod(row[6]), high = std::stod(row[7]);
        constexpr double kRounding = 64 * 0x1p-53; // of sums of ten
        CHECK(speedup == doctest::Approx(value).epsilon(kRounding));
        CHECK(low <= speedup);
        CHECK(speedup <= high);
        CHECK(row[0] == "synthetic:rcv1/20");
        CHECK(row[1] == "hinge");
        CHECK(row[3] == (name.starts_with("hogwild") ? "async" : "sync"));
    }
}

TEST_CASE("a scheme that is as fast as serial has an interval that holds 1") {
    std::vector<Result> runs;
    add_ten(runs, "serial", 1, 1);
    for (const unsigned threads : {1u, 2u}) {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) // serial's own times, in another order
            runs.push_back(
                made_up_run("hogwild", threads, seed, 1 + 0.01 * static_cast<double>((11 - seed) * (11 - seed) % 7)));
    }
    for (const auto& [name, row] : Table(runs).rows()) {
        CHECK(std::stod(row[6]) <= 1);
        CHECK(std::stod(row[7]) >= 1);
    }
}

TEST_CASE("runs that missed the target stay: who never got there has 0, who did sometimes a wide interval") {
    std::vector<Result> runs;
    add_ten(runs, "serial", 1, 1);
    add_ten(runs, "hogwild", 2, 0);
    add_ten(runs, "hogwild", 4, 0.5);
    for (Result& run : runs) {
        if (run.plan.threads == 4 && run.plan.seed % 2 == 0) run.to_target = {};
    }
    const auto rows = Table(runs).rows();
    CHECK(rows.at("hogwild 2")[5] == "0");
    CHECK(rows.at("hogwild 2")[6] == "0");
    const double speedup = std::stod(rows.at("hogwild 4")[5]);
    CHECK(speedup < 0.2); // ten seconds lost for every time that it gets there
    CHECK(std::stod(rows.at("hogwild 4")[6]) < 0.5 * speedup);
}

TEST_CASE(
    "policies are schemes of their own where a folder has several of them that no tuner chose among, and of other "
    "variants the best stands") {
    std::vector<Result> runs;
    add_ten(runs, "serial", 1, 1);
    add_ten(runs, "hogwild", 2, 0.5, "racy");
    add_ten(runs, "hogwild", 2, 0.25, "atomic");
    add_ten(runs, "hogwild", 4, 1, "atomic");
    add_ten(runs, "local-sgd", 4, 0.5);
    const std::size_t first = runs.size();
    add_ten(runs, "local-sgd", 4, 2);
    for (std::size_t i = first; i < runs.size(); ++i) {
        runs[i].plan.exchange.period = 1024;
        runs[i].run += "-other";
    }
    const auto rows = Table(runs).rows();
    CHECK(rows.size() == 4);
    CHECK(rows.contains("hogwild-racy 2"));
    CHECK(rows.contains("hogwild-atomic 4"));
    CHECK(std::stod(rows.at("local-sgd 4")[5]) == doctest::Approx(2));

    const auto kept =
        Table(runs, "scheme,tried\nserial,step-scale=1\nhogwild,hot-updates=direct step-scale=1\n").rows();
    CHECK(kept.size() == 4);
    const auto tuned = Table(runs, "scheme,tried\nserial,step-scale=1\nhogwild,step-scale=1 update=racy\n").rows();
    CHECK(tuned.size() == 3);
    CHECK(std::stod(tuned.at("hogwild 2")[5]) == doctest::Approx(4)); // atomic's
    CHECK(std::stod(tuned.at("hogwild 4")[5]) == doctest::Approx(1));
}

TEST_CASE("of two variants that stands, and is the baseline, which is expected sooner, though its median be later") {
    std::vector<Result> runs;
    // The first is the faster one in six runs of ten, and sixteen times as slow in the others.
    const auto add_wavering = [&](const std::string& scheme, unsigned threads, double usual) {
        add_ten(runs, scheme, threads, usual);
        for (std::size_t i = runs.size() - 4; i < runs.size(); ++i) runs[i].to_target.seconds *= 16;
        const std::size_t steady = runs.size();
        add_ten(runs, scheme, threads, 2 * usual);
        for (std::size_t i = steady; i < runs.size(); ++i) {
            runs[i].plan.step.size *= 2;
            runs[i].run += "-steady";
        }
    };
    add_wavering("serial", 1, 0.5);
    add_wavering("local-sgd", 2, 0.25);
    add_ten(runs, "local-sgd", 4, 0.125);
    const auto rows = Table(runs).rows();
    CHECK(std::stod(rows.at("local-sgd 2")[5]) == doctest::Approx(2));
    CHECK(std::stod(rows.at("local-sgd 4")[5]) == doctest::Approx(8));
}

TEST_CASE("runs of two functions are compared within each, and the problem says in what the two differ") {
    const auto runs_with = [](double l2, double l1, double factor) {
        std::vector<Result> runs;
        add_ten(runs, "serial", 1, factor);
        for (const unsigned threads : {1u, 2u}) add_ten(runs, "hogwild", threads, factor / (threads + factor));
        for (Result& run : runs) {
            run.plan.problem = "logistic";
            run.plan.l2 = l2;
            run.plan.l1 = l1;
            run.run += "-" + std::to_string(factor);
        }
        return runs;
    };
    const auto speedups = [&](std::vector<Result> runs, const std::vector<Result>& others) {
        runs.insert(runs.end(), others.begin(), others.end());
        std::map<std::string, double> found;
        const auto records = read_csv(Table(runs).text, "speedup.csv").records;
        for (std::size_t i = 1; i < records.size(); ++i) {
            const auto& cells = records[i].fields;
            found[cells.at(1) + ", " + cells.at(4)] = std::round(1e9 * std::stod(cells.at(5))) / 1e9;
        }
        return found;
    };
    using Speedups = std::map<std::string, double>;
    CHECK(speedups(runs_with(1e-4, 0, 1), runs_with(2.5e-5, 0, 3)) == Speedups{{"logistic l2=0.0001, 1", 2},
                                                                               {"logistic l2=0.0001, 2", 3},
                                                                               {"logistic l2=2.5e-05, 1", 4},
                                                                               {"logistic l2=2.5e-05, 2", 5}});
    CHECK(speedups(runs_with(1e-4, 1e-5, 1), runs_with(1e-4, 0, 3)) ==
          Speedups{{"logistic l1=1e-05, 1", 2}, {"logistic l1=1e-05, 2", 3}, {"logistic, 1", 4}, {"logistic, 2", 5}});
    CHECK(speedups(runs_with(0.25, 0, 1), runs_with(0.250001, 0, 3)) == Speedups{{"logistic l2=0.25, 1", 2},
                                                                                 {"logistic l2=0.25, 2", 3},
                                                                                 {"logistic l2=0.250001, 1", 4},
                                                                                 {"logistic l2=0.250001, 2", 5}});
}

TEST_CASE("no table where it would say nothing: without a target, serial code, or a second number of workers") {
    std::vector<Result> runs;
    add_ten(runs, "hogwild", 1, 1);
    add_ten(runs, "hogwild", 2, 1);
    CHECK(Table(runs).text.empty());
    add_ten(runs, "serial", 1, 1);
    CHECK(!Table(runs).text.empty());
    std::vector<Result> no_target = runs, one_count = runs;
    for (Result& run : no_target) run.target = kNone;
    CHECK(Table(no_target).text.empty());
    std::erase_if(one_count, [](const Result& run) { return run.plan.threads == 2; });
    CHECK(Table(one_count).text.empty());
}

TEST_CASE("trials of hogwild tune that are no finals leave no table") {
    const auto leaves_one = [](const char* finals) {
        std::vector<Result> runs;
        add_ten(runs, "serial", 1, 1);
        add_ten(runs, "hogwild", 1, 2);
        add_ten(runs, "hogwild", 2, 0.5);
        const Scratch scratch;
        made_up_folder(scratch.path, runs);
        for (const Result& run : runs) {
            std::filesystem::create_directories(scratch.path / run.run);
            std::ofstream(scratch.path / run.run / "manifest.json")
                << R"({"command": ["hogwild", "tune"], "finals": )" << finals << '}';
        }
        write_speedup(scratch.path.string());
        return std::filesystem::exists(scratch.path / "speedup.csv");
    };
    CHECK(leaves_one("true"));
    CHECK(!leaves_one("false"));
}

} // namespace hogwild
