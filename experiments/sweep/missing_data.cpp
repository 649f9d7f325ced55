#include "experiments/sweep/missing_data.h"

#include "engine/data/synthetic/synthetic.h"
#include "engine/error.h"
#include "experiments/inputs/data_folder.h"
#include "experiments/sweep/spec/cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace hogwild {
namespace {

constexpr const char* kTry = "put it here, or name its place with --set axes.data=...";

/// What is said of data that are not here; nothing: they are, or who opens them says why not.
std::optional<std::string> note_on(const std::string& name) {
    try {
        const std::string path = data_path(name);
        std::error_code unseen;
        if (is_synthetic(path) || std::filesystem::exists(path, unseen) || unseen) return {};
        return fmt::format("left out: {} is not here (no such file); {}", name, kTry);
    } catch (const Error& error) { // a public data set, which can be fetched
        if (error.failure() != Failure::kMissing) throw;
        return fmt::format("left out: {}", error.what());
    }
}

} // namespace

void leave_out_missing(Spec& spec) {
    std::vector<std::string> names;
    for (const Case& each : cases(spec)) {
        const std::string& name = *value_of(each, "data");
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    for (const std::string& name : names) {
        if (const auto note = note_on(name)) spec.left_out.push_back({name, *note});
    }
    if (spec.left_out.size() == names.size()) {
        throw Error(Failure::kMissing, "nothing is left to run", fmt::format("not here: {}", fmt::join(names, ", ")),
                    "put one of them here, or name its place with --set axes.data=...");
    }
    for (const MissingData& each : spec.left_out) spec.text += "\n# left out: " + each.name + '\n';
}

} // namespace hogwild
