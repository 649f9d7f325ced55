// A run's manifest.json of arbitrary bytes, by all who read one beside its summary.csv: nothing throws, since a manifest that cannot be
// read is none, and no row is made up. How a sweep's run ended is what a sweep can have left, or odd.
#include "experiments/checkpoint/kept_weights.h"
#include "experiments/compare/ceilings.h"
#include "experiments/compare/samples_apart.h"
#include "experiments/files/record_fields.h"
#include "experiments/folder/summary_rows.h"
#include "experiments/folder/unseen_settings.h"
#include "experiments/sweep/folder/journal.h"
#include "experiments/text/json.h"
#include "experiments/tune/final_rows.h"
#include "tests/experiments/summaries.h"
#include "tests/fuzz/laws.h"
#include "tests/fuzz/scratch_folder.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace {

using namespace hogwild;

void write(const std::filesystem::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

/// A folder of two runs. The first has the manifest that is fuzzed; the second has a whole one.
class Folder {
public:
    Folder() {
        std::vector<Result> runs{made_up_run("serial", 1, 1, 1), made_up_run("hogwild", 2, 1, 1)};
        for (Result& run : runs) run.outcome.nonzeros = 1000000000;
        made_up_folder(path(), runs);
        for (const Result& run : runs) std::filesystem::create_directory(path() / run.run);
        fuzzed_ = path() / runs[0].run;
        write(fuzzed_ / "row.csv", summary_header() + summary_line(runs[0]));
        write(path() / runs[1].run / "manifest.json", kWhole);
        write(path() / "ceilings.json", kCeilings);
    }

    const std::filesystem::path& path() const { return scratch_.path(); }
    const std::filesystem::path& fuzzed() const { return fuzzed_; }

private:
    static constexpr std::string_view kWhole =
        R"({"plan": {"cas_limit": 8}, "data": {"hash": "1980a1a4568d4b36", "columns": 100}, "machine": {"cpu": "A", "cores": 2}})";
    static constexpr std::string_view kCeilings =
        R"({"machine": {"cpu": "A", "cores": 2}, "measured": {"bandwidth": [{"workers": 1, "read_bytes_per_second": 1e10}]}})";

    ScratchFolder scratch_;
    std::filesystem::path fuzzed_;
};

void check_rows(const Folder& folder) {
    Summary summary = read_summary(folder.path().string(), {"run", "seed", "status"});
    const std::size_t before = summary.rows.size();
    drop_races(summary);
    demand(summary.rows.size() <= before, "no row is made up");
    add_ceiling_shares(summary);
    const std::array<Summary*, 1> told{&summary};
    for (const std::string& note : tell_settings_apart(told)) demand(!note.empty(), "a note says something");
    for (const std::string& note : tell_samples_apart(told)) demand(!note.empty(), "a note says something");
    for (const SummaryRow& row : summary.rows) {
        const auto share = row.number("ceiling_share");
        demand(!share || std::isfinite(*share), "a share is a number");
    }
}

void check_end(const Json& manifest) {
    try {
        const Ended ended = ended_of(object_field(manifest, "ended"));
        demand(!ended.run.starts_with('/'), "a run's folder lies in the sweep's");
    } catch (const OddRecord& odd) {
        demand(*odd.what() != 0, "what is odd is said");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const Folder folder;
    return fuzz_text(bytes, size, [](std::string_view text) {
        write(folder.fuzzed() / "manifest.json", text);
        check_rows(folder);
        demand(!has_weights(folder.fuzzed(), folder.fuzzed() / "row.csv", "text"), "a table is nobody's weights");
        note_weights(folder.fuzzed(), folder.fuzzed() / "row.csv", "text");
        const Json manifest = json_at(folder.fuzzed() / "manifest.json");
        demand(!manifest.is_object() || has_weights(folder.fuzzed(), folder.fuzzed() / "row.csv", "text"),
               "weights are noted");
        check_end(manifest);
    });
}
