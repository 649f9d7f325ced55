// The certified optimum against a solver of another kind: liblinear, on real data (oracle 17).
#include "engine/data/load.h"
#include "engine/data/sparse/norms.h"
#include "engine/optimum/gradient.h"
#include "engine/optimum/optimum.h"
#include "engine/plan/plan.h"
#include "engine/record/evaluate.h"
#include "engine/run.h"
#include "tests/test_data.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace hogwild;

namespace {

struct Rival {
    const char* problem;
    const char* options; // solver type and accuracy
    double cost;         // its C is cost / (lambda n)
};

constexpr Rival kRivals[] = {
    {"hinge", "-s 3 -e 1e-5", 1},           // dual coordinate descent
    {"logistic", "-s 0 -e 1e-7", 1},        // trust region Newton on the primal
    {"logistic", "-s 7 -e 1e-5", 1},        // dual coordinate descent
    {"squared", "-s 11 -p 0 -e 1e-7", 0.5}, // support vector regression without a tube: C sum (y - m)^2
};

struct Solution {
    std::vector<double> weights;
    double printed_objective = kNone; // of the dual where the solver is dual
};

bool has_liblinear() { return std::system("command -v liblinear-train > /dev/null 2>&1") == 0; }

Solution solve_by_liblinear(const Rival& rival, const std::string& file, const SparseView& data, double l2) {
    std::string folder = (std::filesystem::temp_directory_path() / "hogwild-liblinear-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    std::ostringstream command;
    command.precision(17);
    command << "liblinear-train " << rival.options << " -B -1 -c " << rival.cost / (l2 * static_cast<double>(data.rows))
            << " '" << file << "' " << folder << "/model > " << folder << "/log 2>&1";
    REQUIRE(std::system(command.str().c_str()) == 0);

    Solution solution{std::vector<double>(data.columns), kNone};
    double sign = 1;
    std::ifstream model(folder + "/model");
    for (std::string line; std::getline(model, line) && line != "w";) {
        double first = 0;
        if (std::sscanf(line.c_str(), "label %lf", &first) == 1)
            sign = first > 0 ? 1 : -1; // w predicts the first label
    }
    std::size_t j = 0;
    for (double weight = 0; j < solution.weights.size() && model >> weight; ++j) solution.weights[j] = sign * weight;
    std::ifstream log(folder + "/log");
    for (std::string line; std::getline(log, line);)
        std::sscanf(line.c_str(), "Objective value = %lf", &solution.printed_objective);
    std::filesystem::remove_all(folder);
    REQUIRE(j > 0);
    return solution;
}

/// F(w) - F* is at most this, by what liblinear itself gives: its dual value for the hinge, else the gradient at its
/// weights.
double bound_of(const Rival& rival, const Solution& solution, const SparseView& data, double l2, double objective) {
    if (rival.problem == std::string("hinge")) {
        const double dual = -solution.printed_objective * l2;
        return objective - dual + 1e-6 * l2; // it prints six decimals
    }
    const std::vector<double> slope = gradient(rival.problem, data, l2, solution.weights);
    double square = 0;
    for (const double s : slope) square += s * s;
    return square / (2 * l2);
}

/// Where serial SGD ends.
Observation final_observation(const std::string& problem, const Dataset& data, double l2, double lower) {
    Plan plan;
    plan.problem = problem;
    plan.scheme = "serial";
    plan.epochs = 60;
    plan.l2 = l2;
    plan.step.size = 0.3 / mean_squared_norm(data.sparse());
    return run(plan, {.train = data, .optimum = lower}).observations.back();
}

} // namespace

TEST_CASE("final objectives agree with liblinear within the bounds of both") {
    if (!has_liblinear()) {
        MESSAGE("skipped: no liblinear-train on the PATH; to run it: apt-get install liblinear-tools");
        return;
    }
    struct Case {
        const char* name;
        double l2;
    };
    // On heart_scale, with a smaller lambda, liblinear's dual solver meets its limit of iterations far from the
    // optimum.
    for (const auto& [name, l2] :
         {Case{"sparse/heart_scale", 1e-2}, {"sparse/a9a", 1e-3}, {"sparse/rcv1_train_1249.svm", 1e-3}}) {
        const auto file = test_data(name);
        if (!file) continue;
        LoadOptions options;
        options.use_cache = false;
        const Dataset dataset = load(*file, options);
        const SparseView data = dataset.sparse();
        CAPTURE(*file);
        for (const Rival& rival : kRivals) {
            CAPTURE(std::string(rival.options));
            const Optimum ours = solve(rival.problem, data, l2);
            REQUIRE(ours.converged);
            const Solution theirs = solve_by_liblinear(rival, *file, data, l2);
            const double objective =
                evaluate(rival.problem, data, std::span<const double>(theirs.weights)).objective(l2);
            const double bound = bound_of(rival, theirs, data, l2, objective);
            CHECK(bound < 1e-4); // both solved it: the comparison means something
            CHECK(std::abs(ours.value - objective) <= ours.gap + bound + 1e-13);
            CHECK(ours.lower <= objective + 1e-13);         // our lower bound holds for their weights,
            CHECK(ours.value >= objective - bound - 1e-13); // and theirs for ours

            const Observation sgd = final_observation(rival.problem, dataset, l2, ours.lower);
            CHECK(sgd.optimality_bound < 0.01 * (ours.initial - ours.value)); // it learned
            CHECK(std::abs(sgd.train_loss - objective) <= sgd.optimality_bound + bound + 1e-13);
        }
    }
}
