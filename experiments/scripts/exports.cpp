#include "experiments/scripts/exports.h"

#include "engine/called.h"
#include "engine/error.h"
#include "experiments/scripts/scripts.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/tell.h"

#include <fmt/format.h>

#include <cstdio>
#include <system_error>
#include <vector>

namespace hogwild {
namespace {

const Script kExport{"export/export.py", {"numpy"}};
constexpr const char* kMark = ".hogwild-export"; // in every export: MARK of results/export/publishing.py

int call_export(const ExportOptions& options, Output output) {
    std::vector<std::string> words;
    if (!options.tensorboard.empty()) words.push_back("--tensorboard=" + options.tensorboard);
    if (!options.mlflow.empty()) words.push_back("--mlflow=" + options.mlflow);
    if (options.overwrite) words.emplace_back("--overwrite");
    words.emplace_back("--");
    words.push_back(options.folder);
    return run_script(kExport, words, "export", output);
}

} // namespace

int write_export(const ExportOptions& options) {
    if (options.tensorboard.empty() && options.mlflow.empty()) {
        throw Error(Failure::kUsage, "there is nothing to write", "no format is named",
                    "add --tensorboard OUT or --mlflow OUT");
    }
    return call_export(options, Output::kShown);
}

void check_event_files(const std::string& out, bool overwrite) {
    std::error_code error; // what cannot be looked at is as good as absent: writing it says why
    const auto status = std::filesystem::symlink_status(out, error);
    if (!std::filesystem::exists(status)) return;
    if (overwrite && std::filesystem::is_directory(status) &&
        (std::filesystem::exists(std::filesystem::path(out) / kMark, error) || std::filesystem::is_empty(out, error))) {
        return;
    }
    throw Error(Failure::kUsage, "--tensorboard cannot write " + out,
                overwrite ? "it is there already, and no earlier export" : "it is there already",
                "name another folder");
}

int write_event_files(const std::filesystem::path& results, const std::string& out, bool overwrite) {
    int code = kExitDone;
    try {
        code = call_export({results.string(), out, "", overwrite}, Output::kDropped);
    } catch (const Error& error) {
        tell("hogwild: {}\n", error.what());
        code = static_cast<int>(error.failure());
    }
    if (code != kExitDone) say_no_event_files(results, out, fmt::format("exit code {}", code));
    return code;
}

void say_no_event_files(const std::filesystem::path& results, const std::string& out, const std::string& why) {
    tell("event files: not written ({}); try {} export {} --tensorboard {}\n", why, called(),
         shell_word(results.string()), shell_word(out));
}

} // namespace hogwild
