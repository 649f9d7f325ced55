#include "experiments/folder/outcome_json.h"

#include "experiments/text/json.h"

#include <cmath>
#include <limits>

namespace hogwild {
namespace {

// One list of names for each struct, for both directions: visit(name, field).

template <class Value, class Visit>
void visit_observation(Value& seen, const Visit& visit) {
    visit("seconds", seen.seconds);
    visit("epoch", seen.epoch);
    visit("updates", seen.updates);
    visit("train_loss", seen.train_loss);
    visit("test_loss", seen.test_loss);
    visit("scores", seen.scores);
    visit("optimality_bound", seen.optimality_bound);
}

template <class Value, class Visit>
void visit_staleness(Value& staleness, const Visit& visit) {
    visit("count", staleness.count);
    visit("mean", staleness.mean);
    visit("median", staleness.median);
    visit("p90", staleness.p90);
    visit("p99", staleness.p99);
    visit("p999", staleness.p999);
    visit("max", staleness.max);
    visit("counts", staleness.counts);
}

template <class Value, class Visit>
void visit_totals(Value& outcome, const Visit& visit) {
    visit("status", outcome.status);
    visit("reason", outcome.reason);
    visit("seconds", outcome.seconds);
    visit("copy_seconds", outcome.copy_seconds);
    visit("wait_seconds", outcome.wait_seconds);
    visit("least_share", outcome.least_share);
    visit("worker_updates", outcome.worker_updates);
    visit("worker_exchanges", outcome.worker_exchanges);
    visit("updates", outcome.updates);
    visit("nonzeros", outcome.nonzeros);
    visit("rebases", outcome.rebases);
    visit("saturated", outcome.saturated);
    visit("core_wait_seconds", outcome.disturbance.core_wait_seconds);
    visit("other_cpu_seconds", outcome.disturbance.other_cpu_seconds);
    visit("stolen_cpu_seconds", outcome.disturbance.stolen_cpu_seconds);
    visit("increments_issued", outcome.telemetry.increments_issued);
    visit("increments_lost", outcome.telemetry.increments_lost);
    visit("increments_dropped", outcome.telemetry.increments_dropped);
    visit("gradients_dropped", outcome.telemetry.gradients_dropped);
    visit("steps_dropped", outcome.telemetry.steps_dropped);
    visit("gpu_updates", outcome.gpu.updates);
    visit("bridge_rounds", outcome.gpu.bridge_rounds);
    visit("gpu_increments_issued", outcome.gpu.increments_issued);
    visit("team_updates", outcome.gpu.team_updates);
    visit("shares_cells", outcome.gpu.shares_cells);
    visit("cells_are_atomic", outcome.gpu.cells_are_atomic);
    visit("cpu_step_count", outcome.batches.cpu.steps);
    visit("gpu_step_count", outcome.batches.gpu.steps);
    visit("cpu_batches", outcome.batches.cpu.batches);
    visit("gpu_batches", outcome.batches.gpu.batches);
}

Json written(const std::string& value) { return value; }
Json written(std::uint64_t value) { return value; }
Json written(bool value) { return value; }
Json written(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json written(const std::vector<std::uint64_t>& counts) { return counts; }

Json written(const Scores& scores) {
    Json json = Json::array();
    for (const double score : scores) json.push_back(written(score));
    return json;
}

Json written(const std::vector<StalenessCount>& counts) {
    Json json = Json::array();
    for (const auto& [from, to, steps] : counts) json.push_back({from, to, steps});
    return json;
}

Json written(const std::vector<ExchangeCounts>& counts) {
    Json json = Json::array();
    for (const auto& [due, put_off] : counts) json.push_back({due, put_off});
    return json;
}

Json written(const std::vector<BatchChange>& changes) {
    Json json = Json::array();
    for (const auto& [seconds, batch, steps] : changes) json.push_back({seconds, batch, steps});
    return json;
}

template <class Value>
void read(const Json& json, Value& value) {
    json.get_to(value);
}
void read(const Json& json, double& value) {
    if (json.is_number()) {
        json.get_to(value);
    } else {
        constexpr double kForever = std::numeric_limits<double>::infinity();
        const auto word = json.get<std::string>();
        value = word == "inf" ? kForever : word == "-inf" ? -kForever : std::numeric_limits<double>::quiet_NaN();
    }
}

void read(const Json& json, Scores& scores) {
    for (std::size_t i = 0; i < scores.size(); ++i) read(json.at(i), scores[i]);
}

void read(const Json& json, std::vector<StalenessCount>& counts) {
    for (const Json& count : json) counts.push_back({count.at(0), count.at(1), count.at(2)});
}

void read(const Json& json, std::vector<ExchangeCounts>& counts) {
    for (const Json& count : json) counts.push_back({count.at(0), count.at(1)});
}

void read(const Json& json, std::vector<BatchChange>& changes) {
    for (const Json& change : json) changes.push_back({change.at(0), change.at(1), change.at(2)});
}

struct Writer {
    Json& json;
    template <class Value>
    void operator()(const char* name, const Value& value) const {
        json[name] = written(value);
    }
};

struct Reader {
    const Json& json;
    template <class Value>
    void operator()(const char* name, Value& value) const {
        read(json.at(name), value);
    }
};

} // namespace

Json outcome_json(const Outcome& outcome) {
    Json json = Json::object();
    visit_totals(outcome, Writer{json});
    visit_staleness(outcome.telemetry.staleness, Writer{json["staleness"]});
    visit_staleness(outcome.gpu.staleness, Writer{json["gpu_staleness"]});
    const auto write_layers = [](const std::vector<StalenessSummary>& layers, Json& to) {
        to = Json::array();
        for (const StalenessSummary& layer : layers) visit_staleness(layer, Writer{to.emplace_back(Json::object())});
    };
    write_layers(outcome.telemetry.layers, json["layers"]);
    write_layers(outcome.gpu.layers, json["gpu_layers"]);
    json["observations"] = Json::array();
    for (const Observation& seen : outcome.observations) {
        visit_observation(seen, Writer{json["observations"].emplace_back(Json::object())});
    }
    return json;
}

Outcome outcome_of(const Json& json) {
    Outcome outcome;
    visit_totals(outcome, Reader{json});
    visit_staleness(outcome.telemetry.staleness, Reader{json.at("staleness")});
    visit_staleness(outcome.gpu.staleness, Reader{json.at("gpu_staleness")});
    for (const Json& layer : json.at("layers")) visit_staleness(outcome.telemetry.layers.emplace_back(), Reader{layer});
    for (const Json& layer : json.at("gpu_layers")) visit_staleness(outcome.gpu.layers.emplace_back(), Reader{layer});
    for (const Json& seen : json.at("observations")) {
        visit_observation(outcome.observations.emplace_back(), Reader{seen});
    }
    return outcome;
}

} // namespace hogwild
