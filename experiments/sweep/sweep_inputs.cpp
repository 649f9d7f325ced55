#include "experiments/sweep/sweep_inputs.h"

#include "engine/error.h"
#include "engine/machine/provenance.h"
#include "engine/numbers.h"
#include "engine/plan/derived/sharing.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "experiments/folder/run_key.h"
#include "experiments/inputs/announce.h"
#include "experiments/inputs/missing_classes.h"
#include "experiments/inputs/one_label.h"
#include "experiments/machine/gpu_info.h"
#include "experiments/sweep/equal_chances.h"
#include "experiments/sweep/spec/run_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace hogwild {
namespace {

Case joined(const Case& settings, const Case& tried) {
    Case all = settings;
    all.insert(all.end(), tried.begin(), tried.end());
    return all;
}

/// A plan's text without its seed.
std::string text_of(Plan plan) {
    plan.seed = 0;
    std::string text;
    for (const auto& [name, value] : fields(plan)) text += name + '=' + value + '\n';
    return text;
}

} // namespace

std::vector<std::vector<Case>> by_samples(const std::vector<Case>& cases) {
    std::vector<std::pair<std::string, std::vector<Case>>> kinds;
    for (const Case& each : cases) {
        std::string samples;
        for (const char* option : {"data", "test", "split-seed", "positive-class", "real-labels", "min-count",
                                   "similarity", "analogies", "no-cache", "cache", "target", "optimum"}) {
            const std::string* value = value_of(each, option);
            samples += (value == nullptr ? "" : *value) + '\n';
        }
        const auto known = std::ranges::find(kinds, samples, &decltype(kinds)::value_type::first);
        if (known == kinds.end()) {
            kinds.push_back({samples, {each}});
        } else {
            known->second.push_back(each);
        }
    }
    std::vector<std::vector<Case>> grouped;
    for (auto& [samples, same] : kinds) grouped.push_back(std::move(same));
    return grouped;
}

SweepInputs::SweepInputs(const std::vector<Case>& settings, const Tried& tried, std::size_t count)
    : options_(options_of(settings.at(0))), inputs_(load_inputs(options_)), scale_(sample_scale(inputs_.train.view())) {
    notes_.push_back(fmt::format("data: {}, {}", inputs_.train.name(), shape_text(inputs_.train.view())));
    for (std::string& line : became_lines(inputs_.train_report, inputs_.test_report)) notes_.push_back(std::move(line));
    if (std::string line = columns_line(inputs_); !line.empty()) notes_.push_back(std::move(line));
    std::set<std::string> known;
    for (const Case& each : settings) {
        Combination combination{each, {}};
        for (const Case& what : tried(each)) add(combination, what);
        if (count > 0) level(*this, combination, count);
        if (!combination.candidates.empty() && known.insert(text_of(combination.candidates[0].plan)).second)
            combinations_.push_back(std::move(combination));
    }
    if (combinations_.empty()) {
        throw Error(Failure::kUsage, "nothing is left to run on " + inputs_.train.name(),
                    notes_.size() > 1 ? notes_.back() : "every combination is excluded", "change the sweep's axes");
    }
    for (const std::string& line : {one_label_line(inputs_.train.view()), missing_classes_line(inputs_.train.view())})
        if (!line.empty()) notes_.push_back(line);
    const auto tried_of = [](const Combination& each) { return each.candidates.size(); };
    const std::size_t fewest = tried_of(*std::ranges::min_element(combinations_, {}, tried_of)),
                      most = tried_of(*std::ranges::max_element(combinations_, {}, tried_of));
    if (fewest < most)
        note(fmt::format(
            "warning: tuning is not equal (combinations have from {} to {} candidates: not all have what is "
            "tuned); compare those that have as many",
            fewest, most));
    network_ = network_of_all(plans());
    if (!network_.empty()) note("network: " + network_);
}

std::vector<Plan> SweepInputs::plans() const {
    std::vector<Plan> plans;
    for (const Combination& combination : combinations_) {
        for (const Candidate& candidate : combination.candidates) plans.push_back(candidate.plan);
    }
    return plans;
}

void SweepInputs::prepare(const std::filesystem::path& optima) {
    const std::vector<Plan> plans = this->plans();
    const auto lost = std::ranges::find_if(plans, wants_gpu);
    if (lost != plans.end() && gpus_.list.empty()) {
        throw Error(Failure::kMissing, fmt::format("--device {} --memory {} cannot run", lost->device, lost->memory),
                    "no GPU: " + gpus_.why_none, "leave it out of the axes, or use a machine with a GPU");
    }
    const bool tested = inputs_.test.has_value();
    objectives_ = std::make_unique<Objectives>(options_, plans, inputs_.train, tested, optima);
    placements_ = std::make_unique<Placements>(std::move(inputs_.train), std::move(inputs_.test), plans);
    notes_.insert(notes_.end(), objectives_->notes().begin(), objectives_->notes().end());
    origin_ = std::make_unique<Origin>(
        origin_of(*placements_, {}, read_provenance(), asked_text(options_.target, options_.optimum)));
    origin_->gpus = gpus_;
    trials_ = std::make_unique<Trials>(*placements_);
}

Product SweepInputs::product_of(const Case& settings, const Case& tried) {
    const Case all = joined(settings, tried);
    RunOptions options = options_of(all);
    options.axes.counts("seed") = {0};
    const unsigned cores = core_budget().usable;
    if (!options.oversubscribe && cap_threads(options.axes.counts("threads"), cores))
        note(fmt::format("warning: threads capped at {} usable cores; oversubscribe = true runs as many as asked",
                         cores));
    Product product = hogwild::product(options.axes, train().view().rows(), scale_);
    leave_out(product, [&](const Plan& plan) { return why_not(plan, train()); });
    if (product.plans.size() + product.left_out.size() > 1) {
        throw Error(Failure::kUsage, "a combination is more than one run",
                    fmt::format("{} and {}", describe(product.plans.at(0)),
                                describe(product.plans.size() > 1 ? product.plans[1] : product.left_out[0].plan)),
                    "set `scheme` in [run] or [axes]");
    }
    return product;
}

bool SweepInputs::add(Combination& combination, const Case& tried) {
    const auto leave_out = [&](const Plan& plan, const std::string& why) {
        const std::string kind = fmt::format("{} {} {} {}", plan.problem, plan.scheme, plan.threads, why);
        if (left_out_.insert(kind).second) note(fmt::format("left out: {} ({})", describe(plan), why));
        return false;
    };
    const Product product = product_of(combination.settings, tried);
    if (product.plans.empty()) return leave_out(product.left_out.at(0).plan, product.left_out.at(0).why);
    const Plan& plan = product.plans[0];
    if (wants_gpu(plan)) {
        if (gpus_.list.empty() && gpus_.why_none.empty()) gpus_ = read_gpus();
        if (gpus_.list.empty()) {
            note(fmt::format("note: what wants a GPU cannot run here (no GPU: {}); leave it out of the axes, or use a "
                             "machine with a GPU",
                             gpus_.why_none));
        } else if (const std::string why = why_not_on(gpus_.list[0], plan); !why.empty()) {
            return leave_out(plan, why);
        }
    }
    const std::string text = text_of(plan);
    const auto known = [&](const Candidate& other) { return text_of(other.plan) == text; };
    if (std::ranges::any_of(combination.candidates, known)) return false;
    combination.candidates.push_back({tried, plan});
    return true;
}

const Dataset* SweepInputs::test() const {
    if (placements_) return placements_->test();
    return inputs_.test ? &*inputs_.test : nullptr;
}

void SweepInputs::note(const std::string& line) {
    if (std::ranges::find(notes_, line) == notes_.end()) notes_.push_back(line);
}

std::string SweepInputs::key(const Plan& plan) const {
    return run_key(plan, train(), test(), asked_text(options_.target, options_.optimum));
}

} // namespace hogwild
