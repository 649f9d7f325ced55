#include "experiments/compare/ceilings.h"

#include "engine/numbers.h"
#include "experiments/compare/compare_settings.h"
#include "experiments/text/json.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

namespace hogwild {
namespace {

constexpr double kBytesOfNonzero = 8;

double apart(const Json& row, const char* name, double wanted) {
    return std::abs(std::log(row.at(name).get<double>() / wanted));
}

/// Every shard of a sweep measured its own machine.
std::vector<Json> all_ceilings(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename();
        if (name.starts_with("ceilings") && name.ends_with(".json")) paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    std::vector<Json> all;
    for (const auto& path : paths) all.push_back(json_at(path));
    return all;
}

Json machine_of(const Json& facts) {
    const Json machine = facts.is_object() ? facts.value("machine", Json()) : Json();
    if (!machine.is_object()) return {};
    return Json::array({machine.value("cpu", Json()), machine.value("cores", Json())});
}

std::optional<double> share(const SummaryRow& row, const std::filesystem::path& folder, const std::vector<Json>& all) {
    const auto rate = row.number("nonzeros_per_second");
    if (!rate || !on_threads(row) || !is_linear(row.text("problem"))) return {};
    const Json manifest = json_at(folder / row.text("run") / "manifest.json");
    const Json machine = machine_of(manifest);
    const auto fits = [&](const Json& found) { return !machine.is_null() && machine_of(found) == machine; };
    const auto found = std::ranges::find_if(all, fits);
    const Json data = manifest.is_object() ? manifest.value("data", Json()) : Json();
    if (found == all.end() || !data.is_object() || !data.contains("columns")) return {};
    const double threads = std::max(1.0, row.number("threads").value_or(1));
    const auto limit = data["columns"].is_number()
                           ? ceiling(found->value("measured", Json()), row.text("update"), threads, data["columns"])
                           : std::nullopt;
    return limit ? std::optional(*rate / *limit) : std::nullopt;
}

} // namespace

std::optional<double> ceiling(const Json& measured, std::string_view policy, double threads, double columns) {
    double limit = std::numeric_limits<double>::infinity(), nearest = limit;
    try {
        for (const Json& row : measured.at("bandwidth")) {
            const double distance = apart(row, "workers", threads);
            if (distance >= nearest) continue;
            nearest = distance;
            limit = row.at("read_bytes_per_second").get<double>() / kBytesOfNonzero;
        }
        const double bandwidth = limit;
        nearest = std::numeric_limits<double>::infinity();
        for (const Json& row : measured.value("increments", Json::array())) {
            if (row.at("update").get<std::string>() != policy) continue;
            const double distance = apart(row, "workers", threads) + apart(row, "floats", columns);
            if (distance >= nearest) continue;
            nearest = distance;
            limit = std::min(bandwidth, row.at("per_second").get<double>());
        }
    } catch (const Json::exception&) {
        return {};
    }
    return std::isfinite(limit) && limit > 0 ? std::optional(limit) : std::nullopt;
}

void add_ceiling_shares(Summary& summary) {
    const std::vector<Json> all = all_ceilings(summary.folder);
    if (all.empty()) return;
    for (SummaryRow& row : summary.rows) {
        if (const auto reached = share(row, summary.folder, all)) row.cells["ceiling_share"] = exact(*reached);
    }
}

} // namespace hogwild
