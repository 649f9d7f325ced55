#include "experiments/folder/summary_rows.h"

#include "engine/data/text/decompress.h"
#include "engine/error.h"
#include "engine/memory/memory_kind.h"
#include "engine/numbers.h"
#include "engine/record/status.h"
#include "experiments/files/csv_reader.h"
#include "experiments/folder/run_files.h"
#include "experiments/text/printable.h"
#include "experiments/text/stored_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace hogwild {
namespace {

constexpr const char* kNameAFolder = "name a folder that hogwild run -o DIR wrote";

/// summary.csv, or the same compressed where only that is there.
std::filesystem::path summary_of(const std::string& folder) {
    std::error_code error;
    const std::filesystem::path plain = std::filesystem::path(folder) / "summary.csv", packed = plain.string() + ".gz";
    return !std::filesystem::exists(plain, error) && std::filesystem::exists(packed, error) ? packed : plain;
}

/// Compressed text whole; other text as it is.
std::string unpacked(std::string stored, const std::string& name) {
    const Compression compression = detect_compression(stored);
    if (compression == Compression::kNone) return stored;
    const ByteReader read = open_compressed(compression, stored, name);
    constexpr std::size_t kMost = std::size_t{1} << 30; // bytes; a million rows have fewer
    std::string text(std::size_t{1} << 16, '\0');
    std::size_t size = 0;
    while (const std::size_t more = read(std::span(text).subspan(size))) {
        size += more;
        if (size > kMost) {
            throw Error(Failure::kUsage, name + " is too large", fmt::format("its text exceeds {} bytes", kMost),
                        "decompress it by hand, and see whether it is what you mean");
        }
        if (size == text.size()) text.resize(2 * size);
    }
    text.resize(size);
    return text;
}

std::string text_of_summary(const std::string& folder, const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
        const bool exists = std::filesystem::exists(folder, error);
        throw Error(exists ? Failure::kUsage : Failure::kMissing, folder + (exists ? " is no folder" : " is not there"),
                    "results are read from a folder that holds summary.csv", kNameAFolder);
    }
    if (!std::filesystem::exists(path, error)) {
        throw Error(Failure::kMissing, folder + " holds no results", "it has no summary.csv", kNameAFolder);
    }
    return unpacked(needed_text(path, Failure::kDisk, "check the file and its permissions"), path.string());
}

void need_columns(const std::string& place, const std::vector<std::string>& header,
                  const std::vector<std::string_view>& required) {
    for (const std::string_view column : required) {
        if (std::ranges::find(header, column) != header.end()) continue;
        throw Error(Failure::kUsage, fmt::format("{}:1: column '{}' is missing", place, column),
                    fmt::format("the file has {} columns, the first is '{}'", header.size(), header[0]),
                    "name a folder that this release of hogwild run wrote");
    }
}

/// Results of older versions have no column but `memory`.
void join_memory(SummaryRow& row) {
    const auto memory = row.cells.find("memory"), numbers = row.cells.find("numbers");
    if (memory == row.cells.end() || numbers == row.cells.end()) return;
    memory->second = name_of(memory_kind(memory->second, numbers->second, row.text("rounding")));
    for (const std::string_view part : kPartsOfMemory) row.cells.erase(std::string(part));
}

/// Refuses what no run left: a name that is no folder's, a status that is none.
void check_run(const SummaryRow& row) {
    const auto odd = [&](std::string_view column, const char* why) {
        throw Error(Failure::kUsage, fmt::format("{}: {} '{}' is odd", row.place, column, printable(row.text(column))),
                    why, "restore the file as the program wrote it");
    };
    if (row.cells.contains("run") && !is_run_folder(row.text("run"))) odd("run", "it is no folder of a run");
    if (row.cells.contains("status") && status_traits(row.text("status")).name.empty())
        odd("status", "it is no way that a run ends");
}

} // namespace

const std::string& SummaryRow::text(std::string_view column) const {
    static const std::string kEmpty;
    const auto at = cells.find(column);
    return at == cells.end() ? kEmpty : at->second;
}

std::optional<double> SummaryRow::number(std::string_view column) const {
    const std::string& cell = text(column);
    if (cell.empty()) return {};
    const auto value = parse_real(cell);
    if (!value) {
        throw Error(Failure::kUsage, fmt::format("{}: {} '{}' is not a number", place, column, cell),
                    "the column holds numbers only", "restore the file as the program wrote it");
    }
    return value;
}

Summary read_summary(const std::string& folder, const std::vector<std::string_view>& required) {
    const std::filesystem::path path = summary_of(folder);
    const std::string place = path.string();
    CsvText csv = read_csv(text_of_summary(folder, path), place);
    if (csv.records.empty()) {
        throw Error(Failure::kUsage, place + " has no header", "the file ends before its first line does",
                    "run again; the program stopped before it could write");
    }
    const std::vector<std::string> header = std::move(csv.records[0].fields);
    need_columns(place, header, required);

    Summary summary{folder, {}, {}};
    for (std::size_t i = 1; i < csv.records.size(); ++i) {
        CsvRecord& record = csv.records[i];
        const bool is_short = record.fields.size() < header.size();
        if (is_short && i + 1 == csv.records.size() && csv.torn_line == 0) {
            csv.torn_line = record.line;
            break;
        }
        if (record.fields.size() != header.size()) {
            throw Error(Failure::kUsage, fmt::format("{}:{}: {} fields", place, record.line, record.fields.size()),
                        fmt::format("the header names {}", header.size()), "restore the file as the program wrote it");
        }
        SummaryRow row{fmt::format("{}:{}", place, record.line), {}};
        for (std::size_t c = 0; c < header.size(); ++c) row.cells.emplace(header[c], std::move(record.fields[c]));
        check_run(row);
        join_memory(row);
        summary.rows.push_back(std::move(row));
    }
    if (csv.torn_line > 0) {
        summary.note = fmt::format("{}:{}: torn last line left out (the program stopped while writing it); what stands "
                                   "above it is used",
                                   place, csv.torn_line);
    }
    if (summary.rows.empty()) {
        throw Error(Failure::kUsage, place + " has no rows", "no run of it ended", "run again");
    }
    return summary;
}

} // namespace hogwild
