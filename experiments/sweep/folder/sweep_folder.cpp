#include "experiments/sweep/folder/sweep_folder.h"

#include "engine/error.h"
#include "experiments/files/csv_reader.h"
#include "experiments/files/durable.h"
#include "experiments/folder/result.h"
#include "experiments/folder/run_files.h"
#include "experiments/folder/summary_rows.h"
#include "experiments/text/json.h"
#include "experiments/text/stored_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace hogwild {
namespace {

std::string text_at(const std::filesystem::path& path) { return stored_text(path).value_or(""); }

/// The row of row.csv, as far as it is one.
std::optional<SummaryRow> row_in(const std::filesystem::path& path) {
    const std::optional<std::string> text = stored_text(path);
    if (!text) return {};
    try {
        CsvText csv = read_csv(*text, path.string());
        if (csv.records.size() != 2 || csv.records[0].fields.size() != csv.records[1].fields.size()) return {};
        SummaryRow row{path.string(), {}};
        for (std::size_t c = 0; c < csv.records[0].fields.size(); ++c)
            row.cells.emplace(csv.records[0].fields[c], std::move(csv.records[1].fields[c]));
        return row;
    } catch (const Error&) {
        return {};
    }
}

} // namespace

std::string lacks_of_sweep_run(const std::filesystem::path& folder) {
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) return "it is gone";
    const std::optional<SummaryRow> row = row_in(folder / "row.csv");
    return row ? lacks_of_run(folder, *row) : "row.csv is missing, or is no row";
}

SweepFolder::SweepFolder(const std::filesystem::path& path) : path_(path) {
    const auto present = [&](const char* file) { return std::filesystem::exists(path_ / file); };
    if (present("summary.csv") && !present("sweep.toml")) {
        throw Error(Failure::kUsage, path_.string() + " holds results that are no sweep's",
                    "there is a summary.csv and no sweep.toml", "name another folder with -o DIR");
    }
    for (const char* ours : {"tuning", "optima", "figures"}) check_no_link(path_ / ours);
    make_folder(path_ / "tuning");
    lock_.emplace(path_);
}

bool SweepFolder::keep_spec(const std::string& text) const {
    const auto file = path_ / "sweep.toml";
    const std::string before = text_at(file);
    const bool other = std::filesystem::exists(file) && before != text;
    if (other && before.ends_with(kSmokeMark) != text.ends_with(kSmokeMark)) {
        const bool smoke = text.ends_with(kSmokeMark);
        throw Error(Failure::kUsage,
                    fmt::format("{} holds {}", path_.string(), smoke ? "a sweep's results" : "what a smoke run left"),
                    smoke ? "a smoke run would replace its tables" : "they measure nothing, and tables are of one kind",
                    "name another folder with -o DIR");
    }
    replace_file(file, text);
    return other;
}

void SweepFolder::record(const std::string& run, const Result& result, const Json& manifest) const {
    const auto target = path_ / run, unfinished = target.parent_path() / ('.' + target.filename().string());
    make_empty_folder(unfinished);
    write_run_files(unfinished, result, manifest);
    write_file(unfinished / "row.csv", summary_header() + summary_line(result));
    if (has(run) && exchange(unfinished, target)) {
        remove_folder(unfinished);
    } else {
        remove_folder(target);
        publish(unfinished, target);
    }
}

Json SweepFolder::manifest(const std::string& run) const {
    if (!has(run)) return {};
    return json_if(text_at(path_ / run / "manifest.json")).value_or(Json());
}

void SweepFolder::write_summary(const std::string& file, const std::vector<std::string>& runs) const {
    std::string text = summary_header();
    for (const std::string& run : runs) {
        const std::string row = text_at(path_ / run / "row.csv");
        if (!row.starts_with(summary_header())) {
            throw Error(Failure::kDisk, (path_ / run / "row.csv").string() + " is no row of summary.csv",
                        "another version wrote it, or it was changed",
                        "run it again: --rerun all, or take the folder away");
        }
        text += row.substr(summary_header().size());
    }
    replace_file(path_ / file, text);
}

} // namespace hogwild
