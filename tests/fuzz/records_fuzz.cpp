// Journals and checkpoints of arbitrary lines of JSON with right hashes: an Error, or what a run can have left. The first byte
// chooses which of the two.
#include "engine/data/synthetic/synthetic.h"
#include "engine/machine/content_hash.h"
#include "engine/plan/plan.h"
#include "experiments/checkpoint/checkpoint_file.h"
#include "experiments/files/checked_line.h"
#include "experiments/sweep/folder/journal.h"
#include "tests/fuzz/laws.h"
#include "tests/fuzz/scratch_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace hogwild;

constexpr std::uint32_t kColumns = 2;

/// Each line that is JSON, hashed; of a checkpoint with values behind it.
std::string hashed(std::string_view text, bool of_checkpoint) {
    const std::string values(kColumns * sizeof(float), '\0');
    std::istringstream lines{std::string(text)};
    std::string records;
    for (std::string line; std::getline(lines, line);) {
        std::optional<Json> record = json_if(line);
        if (!record) continue;
        if (of_checkpoint && record->is_object()) (*record)["values"] = fmt::format("{:016x}", content_hash(values));
        records += checked_line(*record);
        if (of_checkpoint) records += values + '\n';
    }
    return records;
}

void read_journal(const std::filesystem::path& folder, std::string_view text) {
    std::ofstream(folder / "journal", std::ios::binary) << hashed(text, false);
    const Journal journal(folder);
    for (const auto& [key, ended] : journal.done())
        demand(ended.run.find("..") != 0 && !ended.run.starts_with('/'), "a run's folder lies in the sweep's");
}

void read_parts(const std::filesystem::path& folder, std::string_view text) {
    static const Dataset train = generate(parse_synthetic("synthetic:rows=8,features=2,nonzeros=1", 1), "fuzz");
    const Plan plan;
    const std::filesystem::path path = folder / "checkpoint";
    CheckpointFile(path, plan, train, Json::object());
    std::ofstream(path, std::ios::binary | std::ios::app) << hashed(text, true);
    const auto checkpoint = read_checkpoint(path, plan, train);
    if (!checkpoint) return;
    for (const Snapshot& snapshot : checkpoint->snapshots) {
        demand(snapshot.number < std::uint64_t{plan.epochs} * plan.observations_per_epoch, "an observation of the run");
        demand(snapshot.updates <= std::uint64_t{plan.epochs} * 8, "samples of the run");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    static const ScratchFolder scratch;
    return fuzz_text(bytes, size, [](std::string_view input) {
        const bool parts = input[0] % 2 == 1;
        (parts ? read_parts : read_journal)(scratch.path(), input.substr(1));
    });
}
