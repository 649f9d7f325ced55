// The text of a plan: what is hashed, stored, and read again.
#include "engine/error.h"
#include "engine/plan/plan.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hogwild {
namespace {

/// visit(name, field) for every field, in the order of its text.
template <class P, class Visit>
void visit_fields(P& plan, const Visit& visit) {
    visit("problem", plan.problem);
    visit("scheme", plan.scheme);
    visit("update", plan.update);
    visit("guard", plan.guard);
    visit("order", plan.order);
    visit("pin", plan.pin);
    visit("telemetry", plan.telemetry);
    visit("lanes", plan.lanes);
    visit("device", plan.device);
    visit("memory", plan.memory);
    visit("placement", plan.placement);
    visit("threads", plan.threads);
    visit("streams", plan.gpu.streams);
    visit("blocks", plan.gpu.blocks);
    visit("hot", plan.hot.count);
    visit("hot_rule", plan.hot.rule);
    visit("bridge_rule", plan.bridge.rule);
    visit("bridge_pause", plan.bridge.pause);
    visit("delay", plan.delay);
    visit("epochs", plan.epochs);
    visit("l2", plan.l2);
    visit("batch", plan.batch.size);
    visit("exchange", plan.exchange.period);
    visit("cas_limit", plan.cas_limit);
    visit("observations_per_epoch", plan.observations_per_epoch);
    visit("seed", plan.seed);
    visit("step", plan.step.kind);
    visit("step_size", plan.step.size);
    visit("decay", plan.step.decay);
    visit("half_life", plan.step.half_life);
    visit("plateau", plan.step.plateau);
    visit("warm_up", plan.step.warm_up);
}

/// Likewise, of fields that only its scheme or its hot updates have.
template <class P, class Visit>
void visit_scheme(P& plan, const Visit& visit) {
    if (plan.scheme == "backup-workers") visit("backup", plan.backup);
    if (has_clusters(plan.scheme)) visit("cluster", plan.exchange.cluster);
    if (plan.scheme != "async-local-sgd" && plan.hot.updates != "replicated") return;
    visit("exchange_doublings", plan.exchange.doublings);
    visit("combine", plan.exchange.combine);
    visit("coupling", plan.exchange.coupling);
}

/// The parameters of its problem's model, by name.
std::span<const Parameter> parameters_of(const Plan& plan) {
    return catalog::find<Problems>(plan.problem) < std::variant_size_v<Problems> ? parameters(plan.problem)
                                                                                 : std::span<const Parameter>{};
}

bool is_network(const Plan& plan) {
    return catalog::find<Problems>(plan.problem) < std::variant_size_v<Problems> && takes_network(plan.problem);
}

/// Of networks always, of others where there is a rule.
template <class P, class Visit>
void visit_rule(P& plan, const Visit& visit) {
    visit("staleness_rule", plan.staleness.rule);
    visit("staleness_limit", plan.staleness.limit);
}

/// Likewise, of fields that only problems with networks have.
template <class P, class Visit>
void visit_network(P& plan, const Visit& visit) {
    if (!is_network(plan)) return;
    visit("network", plan.network.layers);
    visit("read", plan.network.read);
    visit("state", plan.optimizer.state);
    visit("beta1", plan.optimizer.beta1);
    visit("beta2", plan.optimizer.beta2);
    visit_rule(plan, visit);
    visit("gpu_steps", plan.gpu.steps);
    visit("products", plan.gpu.products);
}

/// Likewise: where another problem asks for one, that is what its plan is refused for.
template <class P, class Visit>
void visit_refused(P& plan, const Visit& visit) {
    const bool network = is_network(plan);
    if (network || plan.optimizer.name != "sgd") visit("optimizer", plan.optimizer.name);
    if (network || plan.network.update != "none") visit("layer_update", plan.network.update);
    if (corrects_steps(plan.scheme) || plan.l1 > 0) visit("l1", plan.l1);
    if (plan.memory.starts_with("host-int8")) visit("int8_range", plan.int8_range);
    const bool two_batches = network && plan.scheme == "hogwild" && plan.device == "both";
    if (two_batches || plan.batch.gpu > 0) visit("gpu_batch", plan.batch.gpu);
    if (two_batches || adapts(plan)) visit("batch_rule", plan.batch.rule);
    if (two_batches || adapts(plan)) visit("batch_most", plan.batch.most);
}

void read_field(const char*, const std::string& text, std::string& value) { value = text; }

template <class Number>
void read_field(const char* name, const std::string& text, Number& value) {
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    if (fault != std::errc{} || stop != end) {
        throw Error(Failure::kUsage, fmt::format("a plan's {} cannot be '{}'", name, text), "it is no such number",
                    "use the text that a plan was written as");
    }
}

} // namespace

std::vector<std::pair<std::string, std::string>> fields(const Plan& plan) {
    std::vector<std::pair<std::string, std::string>> texts;
    const auto add = [&](const char* name, const auto& value) { texts.emplace_back(name, fmt::format("{}", value)); };
    visit_fields(plan, add);
    if (plan.hot.updates != "direct") add("hot_updates", plan.hot.updates);
    visit_scheme(plan, add);
    visit_network(plan, add);
    visit_refused(plan, add);
    if (!is_network(plan) && plan.staleness.rule != "none") visit_rule(plan, add);
    const std::vector<double> values = parameters(plan);
    for (std::size_t i = 0; i < values.size(); ++i)
        texts.emplace_back(parameters(plan.problem)[i].name, fmt::format("{}", values[i]));
    return texts;
}

Plan plan_of(const std::vector<std::pair<std::string, std::string>>& texts) {
    Plan plan;
    std::size_t read = 0;
    const auto take = [&](const char* name, auto& value) {
        const auto field = std::ranges::find(texts, name, &std::pair<std::string, std::string>::first);
        if (field == texts.end()) return;
        read_field(name, field->second, value);
        ++read;
    };
    visit_fields(plan, take);
    take("hot_updates", plan.hot.updates);
    visit_scheme(plan, take);
    visit_network(plan, take);
    visit_refused(plan, take);
    if (!is_network(plan)) visit_rule(plan, take);
    for (const Parameter& parameter : parameters_of(plan)) {
        const auto field = std::ranges::find(texts, parameter.name, &std::pair<std::string, std::string>::first);
        plan.parameters.push_back(parameter.usual);
        if (field == texts.end()) continue;
        read_field(field->first.c_str(), field->second, plan.parameters.back());
        ++read;
    }
    if (read != texts.size()) {
        throw Error(Failure::kUsage, "the text of a plan has fields that no plan has", "another version wrote it",
                    "use the program that wrote it");
    }
    return plan;
}

std::uint64_t hash(const Plan& plan) {
    std::string text;
    for (const auto& [name, value] : fields(plan)) text += name + '=' + value + '\n';
    return XXH3_64bits(text.data(), text.size());
}

} // namespace hogwild
