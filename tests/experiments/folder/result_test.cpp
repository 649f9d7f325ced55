#include "engine/plan/plan.h"
#include "experiments/folder/result.h"

#include "experiments/files/csv.h"
#include "experiments/text/json.h"
#include "tests/source_dir.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>
#include <map>

namespace hogwild {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A reader of its own for the RFC's grammar: fields of all lines.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
    std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
                lines.back().back() += text[++i];
            } else if (c == '"') {
                quoted = false;
            } else {
                lines.back().back() += c;
            }
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',') {
            lines.back().emplace_back();
        } else if (c == '\n') {
            lines.emplace_back(1, std::string());
        } else {
            lines.back().back() += c;
        }
    }
    lines.pop_back(); // what follows the last line end
    return lines;
}

Result example(const std::string& scheme) {
    Result result;
    result.run = "1-" + scheme;
    result.data = "some, \"odd\"\nname </script>";
    result.rows = 100;
    result.plan.scheme = scheme;
    result.plan.threads = scheme == "serial" ? 1 : 4;
    result.outcome.seconds = 0.5;
    result.outcome.updates = 1000;
    result.outcome.nonzeros = 20000;
    result.outcome.wait_seconds = 0.125;
    result.outcome.least_share = 0.75;
    result.outcome.observations = {{.seconds = 0.25, .train_loss = 0.3, .scores = {0.2, kNone, kNone}},
                                   {.seconds = 0.5, .train_loss = 0.4, .scores = {0.1, kNone, kNone}}};
    return result;
}

std::map<std::string, std::string> read(const Result& result) {
    const auto lines = parse_csv(summary_header() + summary_line(result));
    REQUIRE(lines.size() == 2);
    REQUIRE(lines[0].size() == lines[1].size());
    std::map<std::string, std::string> cells;
    for (std::size_t i = 0; i < lines[0].size(); ++i) cells[lines[0][i]] = lines[1][i];
    return cells;
}

TEST_CASE("tables have the columns that results/ promises to readers, in their order") {
    const Json listed = json_at(source_dir() / "results/axes.json");
    CHECK(summary_header() == csv_line(listed.at("columns").get<std::vector<std::string>>()));
    std::vector<std::string> of_traces;
    const Json schema = json_at(source_dir() / "results/schema.json");
    for (const auto& [name, of] : schema.at("$defs").at("trace_row").at("properties").items())
        of_traces.push_back(name);
    CHECK(trace_text({}) == csv_line(of_traces));
}

TEST_CASE("any text survives the file") {
    const Result result = example("hogwild");
    CHECK(read(result)["data"] == result.data);
    for (const std::string text : {"", "a", ",", "\"", "\"\"", "\r\n", "a\"b,c\nd"}) {
        const std::vector<std::string> fields{text, "x", text};
        CHECK(parse_csv(csv_line(fields)) == std::vector<std::vector<std::string>>{fields});
    }
}

TEST_CASE("rates are totals over the clock, losses those of the last observation") {
    const auto cells = read(example("hogwild"));
    CHECK(cells.at("updates_per_second") == "2000");
    CHECK(cells.at("nonzeros_per_second") == "40000");
    CHECK(cells.at("epochs_per_second") == "20");
    CHECK(cells.at("wait_share") == "0.25");
    CHECK(cells.at("least_share") == "0.75");
    CHECK(cells.at("train_loss") == "0.4");
    CHECK(cells.at("test_error") == "0.1");
    CHECK(cells.at("best_train_loss") == "0.3");
    CHECK(cells.at("test_loss") == "");
}

TEST_CASE("an axis that does not apply is an empty field") {
    const auto empty = [](const std::string& scheme) {
        std::string names;
        const auto cells = read(example(scheme));
        for (const char* axis : {"update", "guard", "threads", "decay", "batch", "exchange"}) {
            if (cells.at(axis).empty()) names += std::string(axis) + " ";
        }
        return names;
    };
    CHECK(empty("serial") == "update guard threads batch exchange ");
    Result proximal = example("saga");
    CHECK(read(proximal).at("l1") == "");
    proximal.plan.l1 = 1e-3;
    CHECK(read(proximal).at("l1") == "0.001");
    CHECK(empty("hogwild") == "batch exchange ");
    CHECK(empty("round-robin") == "update guard batch exchange ");
    CHECK(empty("conflict-free") == "update guard batch exchange ");
    CHECK(empty("minibatch") == "update guard exchange ");
    CHECK(empty("local-sgd") == "update guard batch ");

    Result locked = example("hogwild");
    locked.plan.guard = "locked";
    locked.plan.step.kind = "constant";
    CHECK(read(locked)["update"] == "");
    CHECK(read(locked)["decay"] == "");
}

TEST_CASE("a diverged run leaves finite numbers or empty fields") {
    Result result = example("hogwild");
    result.outcome.status = "diverged";
    result.outcome.seconds = 0;
    result.outcome.observations.push_back(
        {.train_loss = kInfinity, .test_loss = kNone, .optimality_bound = -kInfinity});
    result.outcome.telemetry.staleness = {.count = 1, .mean = kInfinity};
    for (const std::string& text : {summary_line(result), json_line(result), trace_text(result)}) {
        CHECK(text.find("inf") == std::string::npos);
        CHECK(text.find("nan") == std::string::npos);
    }
    const auto cells = read(result);
    CHECK(cells.at("status") == "diverged");
    CHECK(cells.at("train_loss") == "");
    CHECK(cells.at("updates_per_second") == "");
    CHECK(cells.at("best_train_loss") == "0.3");
}

TEST_CASE("the columns of the fixed targets are named after their fractions") {
    Result result = example("hogwild");
    for (std::size_t i = 0; i < kTargetFractions.size(); ++i) {
        result.to_fractions[i] = {.reached = true, .seconds = kTargetFractions[i], .updates = 1 / kTargetFractions[i]};
    }
    const auto cells = read(result);
    for (const double fraction : kTargetFractions) {
        const std::string name = fmt::format("{:.0e}", fraction); // "1e-01"
        const std::string exponent = name.substr(0, 3) + name.substr(4);
        CHECK(std::stod(cells.at("seconds_to_" + exponent)) == fraction);
        CHECK(std::stod(cells.at("updates_to_" + exponent)) == 1 / fraction);
    }
}

TEST_CASE("telemetry that was not measured is empty, not zero") {
    Result result = example("hogwild");
    for (const char* name : {"staleness_mean", "staleness_max", "increments_issued", "increments_lost",
                             "increments_dropped", "steps_dropped"}) {
        CHECK(read(result)[name] == "");
    }
    result.plan.update = "cas-bounded";
    result.outcome.telemetry = {.staleness = {.count = 2, .mean = 1.5, .max = 2}, .increments_issued = 10};
    const auto cells = read(result);
    CHECK(cells.at("staleness_mean") == "1.5");
    CHECK(cells.at("staleness_max") == "2");
    CHECK(cells.at("staleness_p99") == "");
    CHECK(cells.at("increments_lost") == "0");
    CHECK(cells.at("increments_dropped") == "0");
    CHECK(cells.at("steps_dropped") == "");
    CHECK(cells.at("gradients_dropped") == "");
    result.plan.guard = "publish";
    result.outcome.telemetry.steps_dropped = 7;
    CHECK(read(result)["steps_dropped"] == "7");
    CHECK(read(result)["warm_up"] == "");
    result.plan.step.warm_up = 0.5;
    CHECK(read(result)["warm_up"] == "0.5");
    result.plan.scheme = "backup-workers";
    result.outcome.telemetry.gradients_dropped = 40;
    CHECK(read(result)["gradients_dropped"] == "40");
    CHECK(read(result)["backup"] == "1");
}

TEST_CASE("batches of two devices, and their steps, are of networks on both") {
    Result result = example("hogwild");
    result.outcome.batches = {{40, {{0, 16, 0}}}, {30, {{0, 16, 0}, {0.25, 32, 9}}}};
    result.plan.device = "both";
    for (const std::string column : {"gpu_batch", "batch_rule", "batch_most", "cpu_step_count", "gpu_step_count"})
        CHECK(read(result)[column].empty());
    result.plan.problem = "network";
    CHECK(read(result)["gpu_batch"] == "0");
    CHECK(read(result)["batch_rule"] == "fixed");
    CHECK(read(result)["batch_most"].empty());
    CHECK(read(result)["cpu_step_count"] == "40");
    CHECK(read(result)["gpu_step_count"] == "30");
    result.plan.batch.rule = "adaptive";
    CHECK(read(result)["batch_most"] == "256");
}

TEST_CASE("the JSON line holds the same cells, typed, and can stand inside a script element") {
    const Result result = example("minibatch");
    const std::string line = json_line(result);
    CHECK(line.find('\n') == line.size() - 1);
    CHECK(line.find("</") == std::string::npos);
    const Json object = json_of(line);
    const auto cells = read(result);
    CHECK(object.size() == cells.size());
    CHECK(object["data"] == result.data);
    CHECK(object["seconds"] == 0.5);
    CHECK(object["updates"] == 1000);
    CHECK(object["guard"].is_null());
}

TEST_CASE("bytes that are not UTF-8 do not stop the record") {
    Result result = example("serial");
    result.data = "caf\xe9";
    CHECK(json_of(json_line(result))["data"] == "caf\xEF\xBF\xBD");
    CHECK(read(result)["data"] == result.data);
}

} // namespace

TEST_CASE("layer_staleness.csv numbers layers from 1, and is not there where nothing was measured") {
    Outcome outcome;
    CHECK(layer_staleness_text(outcome).empty());
    outcome.telemetry.layers = {{.counts = {{0, 0, 5}, {64, 65, 2}}}, {}, {.counts = {{3, 3, 1}}}};
    CHECK(layer_staleness_text(outcome) == "device,layer,from,to,steps\ncpu,1,0,0,5\ncpu,1,64,65,2\ncpu,3,3,3,1\n");
    outcome.gpu.layers = {{}, {.counts = {{1, 1, 4}}}};
    CHECK(layer_staleness_text(outcome).ends_with("cpu,3,3,3,1\ngpu,2,1,1,4\n"));
    outcome.telemetry.layers.clear();
    CHECK(layer_staleness_text(outcome) == "device,layer,from,to,steps\ngpu,2,1,1,4\n");
}

TEST_CASE("batches.csv has a row for each batch of each device, and is not there where not both have some") {
    Outcome outcome;
    CHECK(batches_text(outcome).empty());
    outcome.batches = {{40, {{0, 16, 0}}}, {30, {{0, 16, 0}, {0.25, 32, 9}}}};
    CHECK(batches_text(outcome) == "device,seconds,batch,steps\ncpu,0,16,0\ngpu,0,16,0\ngpu,0.25,32,9\n");
}

TEST_CASE("staleness.csv has a row for each range that was seen, and is not there where nothing was measured") {
    Outcome outcome;
    CHECK(staleness_text(outcome).empty());
    outcome.telemetry.staleness.counts = {{0, 0, 5}, {64, 65, 2}};
    outcome.gpu.staleness.counts = {{3, 3, 1}};
    CHECK(staleness_text(outcome) == "device,from,to,steps\ncpu,0,0,5\ncpu,64,65,2\ngpu,3,3,1\n");
}

} // namespace hogwild
