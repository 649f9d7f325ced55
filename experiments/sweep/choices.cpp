#include "experiments/sweep/choices.h"

#include "experiments/applies.h"
#include "experiments/csv.h"
#include "experiments/numbers.h"

#include <utility>

namespace hogwild {
namespace {

using Cells = std::vector<std::pair<std::string, std::string>>;

std::string number(const std::optional<double>& value) { return value ? exact(*value) : ""; }

Cells cells_of(const Plan& plan, const Chosen& chosen) {
    const Applies axis = applies(plan);
    const auto when = [](bool applies, std::string text) { return applies ? std::move(text) : std::string(); };
    return {{"problem", plan.problem},
            {"scheme", plan.scheme},
            {"update", when(axis.update, plan.update)},
            {"guard", when(axis.guard, plan.guard)},
            {"device", plan.device},
            {"memory", plan.memory},
            {"threads", when(axis.threads, std::to_string(plan.threads))},
            {"streams", when(axis.streams, std::to_string(plan.streams))},
            {"blocks", when(axis.streams, std::to_string(plan.blocks))},
            {"step_size", exact(plan.step.size)},
            {"batch", when(axis.batch, std::to_string(plan.batch))},
            {"exchange", when(axis.exchange, std::to_string(plan.exchange))},
            {"at_edge", chosen.at_edge ? "1" : "0"},
            {"trials", std::to_string(chosen.trials)},
            {"reached", std::to_string(chosen.reached)},
            {"seconds_to_target", number(chosen.seconds)},
            {"train_loss", number(chosen.loss)}};
}

} // namespace

std::string choices_text(const std::vector<Combination>& combinations, const std::vector<Chosen>& chosen) {
    std::string text;
    for (std::size_t i = 0; i < combinations.size(); ++i) {
        const Candidate& best = combinations[i].candidates.at(chosen[i].candidate);
        std::vector<std::string> names{"data", "tried"}, values;
        const std::string* data = value_of(combinations[i].settings, "data");
        values.push_back(data == nullptr ? "" : *data);
        std::string tried;
        for (const Setting& setting : best.tried)
            tried += (tried.empty() ? "" : " ") + setting.option + '=' + setting.value;
        values.push_back(tried);
        for (auto& [name, value] : cells_of(best.plan, chosen[i])) {
            names.push_back(name);
            values.push_back(std::move(value));
        }
        if (text.empty()) text = csv_line(names);
        text += csv_line(values);
    }
    return text;
}

} // namespace hogwild
