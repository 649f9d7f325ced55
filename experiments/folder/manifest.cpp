#include "experiments/folder/manifest.h"

#include "engine/machine/memory_budget.h"
#include "engine/numbers.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "experiments/folder/result.h"
#include "experiments/folder/run_key.h"
#include "experiments/inputs/announce.h"
#include "experiments/inputs/questions.h"
#include "experiments/machine/gpu_info.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace hogwild {
namespace {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json known_bytes(std::uint64_t bytes) { return bytes == kUnknownMemory ? Json() : Json(bytes); }

/// `plan`: whose model says how many coordinates the samples touch.
Json data_json(const Dataset& data, const Plan& plan) {
    const AnyView view = bound(data.view(), plan);
    Json json = {{"name", data.name()},
                 {"hash", fmt::format("{:016x}", data.content_hash())},
                 {"shape", shape_text(data.view())},
                 {"rows", view.rows()},
                 {"columns", view.coordinates()},
                 {"nonzeros", view.nonzeros()}};
    for (const Questions& each : questions_of(view))
        json["questions"][std::string(each.score)] = {{"covered", each.covered}, {"asked", each.asked}};
    return json;
}

} // namespace

Origin origin_of(const Placements& placements, std::vector<std::string> command, const Provenance& provenance,
                 std::string asked) {
    return {.train = placements.train(),
            .test = placements.test(),
            .command = std::move(command),
            .machine = machine_json(provenance.machine, provenance.topology),
            .build = build_json(provenance.build),
            .placements = placements,
            .asked = std::move(asked)};
}

Json machine_json(const MachineState& state, const Topology& topology) {
    Json caches = Json::array();
    for (const CacheLevel& cache : topology.caches) {
        caches.push_back({{"level", cache.level},
                          {"bytes", cache.bytes},
                          {"instances", cache.instances},
                          {"shared_by", cache.shared_by}});
    }
    return {{"cpu", state.cpu_model.empty() ? "unknown" : state.cpu_model},
            {"cores", state.cores.usable},
            {"affinity", state.cores.affinity},
            {"quota", state.cores.quota == 0 ? Json() : Json(state.cores.quota)},
            {"physical_cores", topology.cores},
            {"processors", topology.processors},
            {"sockets", topology.sockets},
            {"numa_nodes", topology.numa_nodes},
            {"caches", caches},
            {"line_bytes", topology.line_bytes},
            {"instruction_sets", state.instruction_sets},
            {"memory_bytes", known_bytes(state.memory_bytes)},
            {"available_bytes", known_bytes(state.available_bytes)},
            {"huge_pages", state.huge_pages},
            {"governor", state.governor.empty() ? Json() : Json(state.governor)},
            {"kernel", state.kernel},
            {"boot", state.boot.empty() ? Json() : Json(state.boot)},
            {"virtual_machine", state.virtual_machine},
            {"load_average", state.load_average}};
}

Json build_json(const Build& build) {
    return {{"version", build.version},
            {"commit", build.commit},
            {"compiler", build.compiler},
            {"flags", build.flags},
            {"type", build.type}};
}

Json plan_json(const Plan& plan) {
    Json json = Json::object();
    for (const auto& [name, value] : fields(plan)) {
        if (const auto count = parse_count(value)) {
            json[name] = *count;
        } else if (const auto real = parse_real(value)) {
            json[name] = *real;
        } else {
            json[name] = value;
        }
    }
    return json;
}

Json axes_json(const Result& result) {
    Json json = Json::object();
    for (const Column& column : axis_columns(result.plan, result.data))
        json[std::string(column.name)] = cell_text(column.cell);
    return json;
}

Json manifest(const Result& result, const Objective& objective, const std::string& started, const Origin& origin) {
    const Plan& plan = result.plan;
    Json json = {{"schema", kResultsVersion},
                 {"run", result.run},
                 {"started", started},
                 {"command", origin.command},
                 {"plan", plan_json(plan)},
                 {"axes", axes_json(result)},
                 {"plan_hash", fmt::format("{:016x}", hash(plan))},
                 {"key", run_key(plan, origin.train, origin.test, origin.asked)},
                 {"seed", plan.seed},
                 {"data", data_json(origin.train, plan)},
                 {"test", origin.test == nullptr ? Json() : data_json(*origin.test, plan)},
                 {"optimum", number(objective.optimum)},
                 {"optimum_attained", number(objective.attained)},
                 {"initial_loss", number(objective.initial)},
                 {"target", number(objective.target)},
                 {"target_of", objective.target_of.empty() ? Json() : Json(objective.target_of)},
                 {"machine", origin.machine},
                 {"build", origin.build}};
    if (const auto why = origin.hot_reasons.find(hash(plan)); why != origin.hot_reasons.end())
        json["hot_updates_auto"] = why->second;
    if (!result.outcome.worker_updates.empty()) json["worker_updates"] = result.outcome.worker_updates;
    for (const auto& [due, put_off] : result.outcome.worker_exchanges)
        json["worker_exchanges"].push_back({{"due", due}, {"put_off", put_off}});
    if (wants_gpu(plan)) {
        json["gpus"] = gpus_json(origin.gpus);
        json["cuda"] = cuda_json(origin.gpus);
        if (!result.outcome.gpu.team_updates.empty()) json["gpu_team_updates"] = result.outcome.gpu.team_updates;
        json["cpu_gpu_increments"] = optional_json(cpu_gpu_increments(result.outcome));
    }
    return json;
}

} // namespace hogwild
