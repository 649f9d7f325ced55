#include "experiments/folder/run_files.h"

#include "experiments/files/durable.h"
#include "experiments/folder/result.h"
#include "experiments/folder/summary_rows.h"
#include "experiments/text/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <system_error>

namespace hogwild {
namespace {

struct RunFile {
    const char* name;
    bool (*is_due)(const SummaryRow&);
};

bool always(const SummaryRow&) { return true; }
bool never(const SummaryRow&) { return false; }
bool is_stale(const SummaryRow& row) {
    return !row.text("staleness_mean").empty() || !row.text("gpu_staleness_mean").empty();
}

constexpr std::array kRunFiles{RunFile{"manifest.json", always}, RunFile{"trace.csv", always},
                               RunFile{"staleness.csv", is_stale}, RunFile{"layer_staleness.csv", never},
                               RunFile{"batches.csv", never}};

/// Why a file cannot be one that was written; nothing for one that may be.
std::string fault_of(const std::filesystem::path& path, bool due) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) return due ? "is missing" : "";
    if (!std::filesystem::is_regular_file(status)) return "is no regular file";
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    return error || bytes == 0 ? "is empty" : "";
}

} // namespace

bool is_run_folder(std::string_view name) {
    return !name.empty() && name.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos &&
           !name.starts_with('.') && std::ranges::none_of(name, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

void write_run_files(const std::filesystem::path& folder, const Result& result, const Json& manifest) {
    write_file(folder / "manifest.json", json_text(manifest, 2) + '\n');
    write_file(folder / "trace.csv", trace_text(result));
    const std::string staleness = staleness_text(result.outcome);
    if (!staleness.empty()) write_file(folder / "staleness.csv", staleness);
    const std::string layers = layer_staleness_text(result.outcome);
    if (!layers.empty()) write_file(folder / "layer_staleness.csv", layers);
    const std::string batches = batches_text(result.outcome);
    if (!batches.empty()) write_file(folder / "batches.csv", batches);
}

std::string lacks_of_run(const std::filesystem::path& folder, const SummaryRow& row) {
    for (const RunFile& file : kRunFiles) {
        if (const std::string fault = fault_of(folder / file.name, file.is_due(row)); !fault.empty())
            return fmt::format("{} {}", file.name, fault);
    }
    return {};
}

} // namespace hogwild
