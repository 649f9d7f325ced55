// Source: liblinear 2.3, save_model and load_model of linear.cpp. With two classes there is one weight a feature, and a
// margin above 0 says the first label.
#include "experiments/model/model_formats.h"

#include "engine/called.h"
#include "engine/data/sparse/labels.h"
#include "engine/data/text/decimal.h"
#include "engine/data/text/text_words.h"
#include "engine/numbers.h"
#include "experiments/options/number_fault.h"
#include "kernels/problems/hinge.h"
#include "kernels/problems/logistic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

namespace hogwild {
namespace {

/// Words of a text, one after another.
class Words {
public:
    explicit Words(std::string_view text) : rest_(text) {}

    /// Empty at the end.
    std::string_view next() {
        const auto space = [](char c) { return words::is_blank_or_cr(c) || c == '\n'; };
        const auto begin = std::find_if_not(rest_.begin(), rest_.end(), space);
        const auto end = std::find_if(begin, rest_.end(), space);
        rest_ = {end, rest_.end()};
        return {begin, end};
    }

private:
    std::string_view rest_;
};

std::string attempt() {
    return fmt::format("train with liblinear-train -B -1 on two classes, or save it with {} run --save", called());
}

/// Solvers, and which of our problems each minimises. The first one of a problem is written.
struct Solver {
    std::string_view name, problem;
};
constexpr Solver kSolvers[] = {
    {"L2R_LR", Logistic::name},
    {"L2R_LR_DUAL", Logistic::name},
    {"L1R_LR", Logistic::name},
    {"L2R_L1LOSS_SVC_DUAL", Hinge::name},
};
constexpr std::string_view kOneClass = "ONECLASS_SVM";
constexpr Solver kOther = {"L2R_L2LOSS_SVC", ""}; // classes, by a loss that is none of ours

std::string_view solver_type(const Model& model) {
    if (model.real_labels) return "L2R_L2LOSS_SVR";
    const Solver* const solver = std::ranges::find(kSolvers, model.problem, &Solver::problem);
    return solver == std::end(kSolvers) ? kOther.name : solver->name;
}

/// The problem that a solver minimises, where it is one of ours.
std::string problem_of(std::string_view name) {
    const Solver* const solver = std::ranges::find(kSolvers, name, &Solver::name);
    return std::string(solver == std::end(kSolvers) ? kOther.problem : solver->problem);
}

/// What stands before the weights; returns how many there should be.
std::uint64_t read_head(Words& words, Model& model, const std::string& file) {
    const auto number = [&](std::string_view key) {
        const std::string_view word = words.next();
        const auto value = parse_real(word);
        if (!value) {
            const std::string why = why_no_number(word, "not a number");
            refuse_model(file, fmt::format("after {} stands '{}', {}", key, word.substr(0, 40), why), attempt());
        }
        return *value;
    };
    const auto label = [&] {
        const std::string_view word = words.next();
        const auto value = parse_label(word);
        if (!value) {
            float unset = 0;
            const std::string_view why = decimal::why_out_of_range(decimal::read_whole(word, unset));
            refuse_model(
                file,
                fmt::format("after label stands '{}', {}", word.substr(0, 40), why.empty() ? "not a number" : why),
                attempt());
        }
        return *value;
    };
    double features = -1, classes = 2;
    std::set<std::string_view> said;
    for (std::string_view key = words.next(); key != "w"; key = words.next()) {
        if (!said.insert(key).second)
            refuse_model(file, fmt::format("it says {} twice", key.substr(0, 40)), "copy it again");
        if (key == "solver_type") {
            const std::string_view solver = words.next();
            if (solver == kOneClass) refuse_model(file, fmt::format("{} tells no classes apart", solver), attempt());
            model.problem = problem_of(solver);
            model.real_labels = solver.find("SVR") != std::string_view::npos;
        } else if (key == "nr_class") {
            classes = number(key);
            if (classes != 2) refuse_model(file, fmt::format("it has {} classes, not 2", classes), attempt());
        } else if (key == "label") {
            model.positive = label();
            model.negative = label();
            model.has_labels = true;
        } else if (key == "nr_feature") {
            features = number(key);
        } else if (key == "bias") {
            if (number(key) >= 0) refuse_model(file, "it has a bias", attempt());
        } else if (key.empty()) {
            refuse_model(file, "it ends before its weights", "copy it again");
        } else {
            refuse_model(file, fmt::format("it is not the text of liblinear's train: '{}'", key.substr(0, 40)),
                         attempt());
        }
    }
    if (constexpr double kMost = std::numeric_limits<std::uint32_t>::max(); features > kMost)
        refuse_model(file, fmt::format("it has {:.0f} features, and {:.0f} are read at most", features, kMost),
                     attempt());
    if (features < 0 || features != std::trunc(features)) {
        refuse_model(file, "it does not say how many features it has", attempt());
    }
    return static_cast<std::uint64_t>(features);
}

float weight_of(std::string_view word, std::size_t number, const std::string& file) {
    float weight = 0;
    const decimal::Reading reading = decimal::read_whole(word, weight);
    if (reading == decimal::Reading::kOk) return weight;
    const auto why = decimal::why_out_of_range(reading);
    refuse_model(
        file, fmt::format("weight {} is '{}', {}", number, word.substr(0, 40), why.empty() ? "no finite number" : why),
        why.empty() ? "train again with a smaller step" : "rescale all of them");
}

} // namespace

std::string liblinear_text(const Model& model) {
    std::string text = fmt::format("solver_type {}\nnr_class 2\n", solver_type(model));
    if (!model.real_labels) text += fmt::format("label {:.0f} {:.0f}\n", model.positive, model.negative);
    text += fmt::format("nr_feature {}\nbias -1\nw\n", model.weights.size());
    const std::string zero = exact(0) + " \n";
    text.reserve(text.size() + zero.size() * model.weights.size());
    for (const float weight : model.weights)
        text += weight == 0 && !std::signbit(weight) ? zero : exact(weight) + " \n";
    return text;
}

Model read_liblinear(std::string_view text, const std::string& file) {
    Words words(text);
    Model model;
    const std::uint64_t features = read_head(words, model, file);
    model.weights.reserve(std::min<std::uint64_t>(features, text.size() / 2)); // a digit and a blank each
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word == "0") { // nearly all of a wide model
            model.weights.push_back(0);
            continue;
        }
        model.weights.push_back(weight_of(word, model.weights.size() + 1, file));
    }
    if (!text.ends_with('\n')) refuse_model(file, "it ends within a line", "copy it again");
    if (model.weights.size() != features) {
        refuse_model(file, fmt::format("it holds {} weights of {}", model.weights.size(), features), "copy it again");
    }
    return model;
}

} // namespace hogwild
