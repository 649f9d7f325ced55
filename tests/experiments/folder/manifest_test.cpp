#include "engine/plan/plan.h"
#include "experiments/folder/manifest.h"
#include "experiments/folder/result.h"

#include "engine/data/load.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/source_dir.h"

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE("a manifest labels memory on which increments of CPU and GPU meet, and names the GPU, where one stepped") {
    const Dataset data = crowded();
    const Placements placements(data, {}, {});
    const Origin origin{data, nullptr, {"hogwild", "run"}, {}, {}, placements};
    const auto manifest_of = [&](const std::string& device, bool shares, bool atomic) {
        Result result;
        result.plan = toy_plan("hogwild", 2);
        result.plan.device = device;
        result.outcome.gpu.shares_cells = shares;
        result.outcome.gpu.cells_are_atomic = atomic;
        return manifest(result, {}, "2026-01-01T00:00:00Z", origin);
    };
    CHECK(manifest_of("both", true, true)["cpu_gpu_increments"] == "atomic");
    CHECK(manifest_of("both", true, false)["cpu_gpu_increments"] == "not atomic");
    CHECK(manifest_of("gpu", false, false)["cpu_gpu_increments"].is_null());
    CHECK(manifest_of("both", true, true).contains("gpus"));
    CHECK_FALSE(manifest_of("cpu", false, false).contains("cpu_gpu_increments"));
}

TEST_CASE("a manifest lists what each worker stepped through, and its replica's exchanges, where there are such") {
    const Dataset data = crowded();
    const Placements placements(data, {}, {});
    Result result;
    result.plan = toy_plan("async-local-sgd", 2);
    const auto written = [&] {
        return manifest(result, {}, "2026-01-01T00:00:00Z", {data, nullptr, {"hogwild"}, {}, {}, placements});
    };
    CHECK_FALSE(written().contains("worker_updates"));
    result.outcome.worker_updates = {1200, 800};
    CHECK(written()["worker_updates"] == Json{1200, 800});
    CHECK_FALSE(written().contains("worker_exchanges"));
    result.outcome.worker_exchanges = {{40, 3}, {41, 0}};
    CHECK(written()["worker_exchanges"] == Json{{{"due", 40}, {"put_off", 3}}, {{"due", 41}, {"put_off", 0}}});
    result.plan = toy_plan("hogwild", 2);
    result.plan.device = "gpu";
    CHECK_FALSE(written().contains("gpu_team_updates"));
    result.outcome.gpu.team_updates = {640, 576};
    CHECK(written()["gpu_team_updates"] == Json{640, 576});
}

TEST_CASE("a manifest says how many coordinates the plan's model has, and what a step on each sample increments") {
    LoadOptions options;
    options.samples = RatingsView::kSamples;
    const Dataset data = load("synthetic:tiny", options); // 4000 ratings of 100 users, 50 items
    const Placements placements(data, std::nullopt, {});
    Result result;
    result.plan.problem = "factorization";
    result.plan.parameters = {8};
    const Json described =
        manifest(result, {}, "2026-01-01T00:00:00Z", {data, nullptr, {"hogwild"}, {}, {}, placements});
    CHECK(described["data"]["rows"] == 4000);
    CHECK(described["data"]["columns"] == 150 * 9);
    CHECK(described["data"]["nonzeros"] == 4000 * 2 * 9);
    CHECK(described["data"]["shape"] == "4,000 ratings, 100 users, 50 items");
}

TEST_CASE("a manifest says why a plan that --hot-updates auto made is as it is, and of no other plan") {
    const Dataset data = crowded();
    const Placements placements(data, {}, {});
    Result result;
    result.plan = toy_plan("hogwild", 2);
    const Origin origin{data, nullptr,    {"hogwild"}, {},
                        {},   placements, {},          {{hash(result.plan), "overridden by --hot 0"}}};
    const auto said = [&] { return manifest(result, {}, "2026-01-01T00:00:00Z", origin); };
    CHECK(said()["hot_updates_auto"] == "overridden by --hot 0");
    result.plan.hot.updates = "delayed";
    CHECK_FALSE(said().contains("hot_updates_auto"));
}

TEST_CASE("a manifest's axes are the axis columns of its run's row, the seed beside them") {
    const Dataset data = crowded();
    const Placements placements(data, {}, {});
    const auto check = [&](const std::string& scheme, const auto& change) {
        Result result;
        result.data = "some, \"odd\" name";
        result.plan = toy_plan(scheme, 2);
        change(result.plan);
        const Json written =
            manifest(result, {}, "2026-01-01T00:00:00Z", {data, nullptr, {"hogwild"}, {}, {}, placements});
        Json expected = Json::object();
        for (const Column& column : row(result)) {
            if (column.name == "seed") break;
            if (column.name != "run") expected[std::string(column.name)] = cell_text(column.cell);
        }
        CHECK(written["axes"] == expected);
        CHECK(written["axes"].begin().key() == "problem");
    };
    const auto as_it_is = [](const Plan&) {};
    for (const char* scheme : {"serial", "hogwild", "minibatch", "async-local-sgd", "replicated", "backup-workers"})
        check(scheme, as_it_is);
    check("hogwild", [](Plan& plan) { plan.device = "gpu"; });
    check("async-local-sgd", [](Plan& plan) { plan.device = "gpu"; });
    check("hogwild", [](Plan& plan) { plan.hot.updates = "delayed"; });
}

TEST_CASE("a manifest names the version of the schema that lies with the scripts") {
    const Dataset data = crowded();
    const Placements placements(data, {}, {});
    Result result;
    result.plan = toy_plan("serial", 1);
    const Json written = manifest(result, {}, "2026-01-01T00:00:00Z", {data, nullptr, {"hogwild"}, {}, {}, placements});
    CHECK(written["schema"] == json_at(source_dir() / "results/axes.json").at("version"));
}
