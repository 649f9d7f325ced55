#include "experiments/folder/run_files.h"

#include "experiments/files/durable.h"
#include "experiments/folder/result.h"
#include "experiments/text/json.h"

namespace hogwild {

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

} // namespace hogwild
