#include "experiments/sweep/folder/journal.h"

#include "engine/error.h"
#include "engine/record/status.h"
#include "experiments/files/checked_line.h"
#include "experiments/files/record_fields.h"
#include "experiments/folder/results_folder.h"
#include "experiments/folder/run_files.h"
#include "experiments/text/json.h"
#include "experiments/text/stored_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hogwild {
namespace {

/// "NAME" or "tuning/NAME".
bool is_run_of_sweep(std::string_view run) {
    constexpr std::string_view kTuning = "tuning/";
    return is_run_folder(run.starts_with(kTuning) ? run.substr(kTuning.size()) : run);
}

double duration_field(const Json& record, const char* name) {
    const double seconds = number_field(record, name);
    if (seconds < 0) throw OddRecord(fmt::format("its '{}' is {}, below 0", name, seconds));
    return seconds;
}

/// What a line says of a run.
struct Event {
    std::string key, time;
    std::optional<Ended> ended; // nothing: it began
};

/// Throws OddRecord.
Event event_of(const Json& record) {
    Event event{text_field(record, "key"), text_field(record, "time"), {}};
    const std::string kind = text_field(record, "event");
    if (kind == "end")
        event.ended = ended_of(record);
    else if (kind != "begin")
        throw OddRecord(fmt::format("its 'event' is '{}', neither begin nor end", kind));
    return event;
}

/// The event that line `number` of a file records.
Event event_at(const Json& record, const std::filesystem::path& path, std::size_t number) {
    try {
        return event_of(record);
    } catch (const OddRecord& odd) {
        throw Error(Failure::kDisk, fmt::format("{}:{}: the record makes no sense", path.string(), number), odd.what(),
                    "restore the file from a copy, or take the line out");
    }
}

} // namespace

Json ended_json(const Ended& ended) {
    return {{"run", ended.run},
            {"status", ended.status},
            {"build", ended.build},
            {"wall_seconds", ended.seconds},
            {"to_target", optional_json(ended.to_target)},
            {"loss", optional_json(ended.loss)},
            {"score", optional_json(ended.score)}};
}

Ended ended_of(const Json& json) {
    Ended ended{text_field(json, "run"),
                text_field(json, "status"),
                text_field(json, "build"),
                duration_field(json, "wall_seconds"),
                optional_number_field(json, "to_target"),
                optional_number_field(json, "loss"),
                optional_number_field(json, "score")};
    if (!is_run_of_sweep(ended.run)) throw OddRecord(fmt::format("its 'run' is '{}', no folder of a run", ended.run));
    if (ended.to_target && *ended.to_target < 0)
        throw OddRecord(fmt::format("its 'to_target' is {}, below 0", *ended.to_target));
    if (status_traits(ended.status).name.empty())
        throw OddRecord(fmt::format("its 'status' is '{}', no way that a run ends", ended.status));
    return ended;
}

Journal::Journal(const std::filesystem::path& folder, const std::string& name) {
    read_all(folder, name);
    file_.emplace(folder / name, AppendFile::Start::kAnywhere);
}

void Journal::read_all(const std::filesystem::path& folder, const std::string& own) {
    std::vector<Words> begun;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string file = entry.path().filename();
        const bool shard = file.starts_with("journal-") && file.find_first_of(".~") == std::string::npos;
        if (file == "journal" || shard) begun.push_back(read(entry.path(), file == own));
    }
    for (const Words& words : begun) {
        for (const auto& [key, word] : words) {
            const auto end = ends_.find(key);
            if (end == ends_.end() || end->second.journal == word.journal || end->second.time < word.time)
                open_.insert(key);
        }
    }
    std::map<std::string_view, std::string_view> owners; // of runs' folders
    for (const auto& [key, ended] : done_) {
        const auto [owner, first] = owners.emplace(ended.run, key);
        if (!first) {
            throw Error(Failure::kDisk, fmt::format("{}: two settings have one run", ends_.at(key).journal),
                        fmt::format("{} ended for the keys {} and {}", ended.run, owner->second, key),
                        "restore the file from a copy, or take the line that is wrong out");
        }
    }
}

Journal::Words Journal::read(const std::filesystem::path& path, bool own) {
    const std::string text = needed_text(path, Failure::kDisk, "see whether the disk is well");
    Words begun;
    std::size_t number = 1;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end, ++number) {
        end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        const auto record = checked_record(std::string_view(text).substr(begin, end - begin));
        if (!record) {
            if (text.find('\n', end) != std::string::npos) {
                throw Error(Failure::kDisk, fmt::format("{}:{}: the record is damaged", path.string(), number),
                            "its hash does not fit, and others follow",
                            "restore the file from a copy, or take the line out");
            }
            if (own) std::filesystem::resize_file(path, begin); // a crash came between
            return begun;
        }
        Event event = event_at(*record, path, number);
        const Word word{event.time, path.string()};
        if (!event.ended) {
            begun[event.key] = word;
            continue;
        }
        begun.erase(event.key);
        if (ends_[event.key].time > word.time) continue; // of several journals the later word holds
        ends_[event.key] = word;
        done_[event.key] = std::move(*event.ended);
    }
    return begun;
}

void Journal::append(const Json& record) { file_->append(checked_line(record)); }

void Journal::begin(const std::string& key) {
    append({{"event", "begin"}, {"time", utc_now()}, {"key", key}});
    open_.insert(key);
}

void Journal::end(const std::string& key, const Ended& ended) {
    Json record{{"event", "end"}, {"time", utc_now()}, {"key", key}};
    record.update(ended_json(ended));
    append(record);
    done_[key] = ended;
    open_.erase(key);
}

} // namespace hogwild
