#include "experiments/sweep/journal.h"

#include "engine/error.h"
#include "experiments/files/checked_line.h"
#include "experiments/folder/results_folder.h"
#include "experiments/text/json.h"
#include "experiments/text/stored_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace hogwild {
namespace {

std::string text_of_file(const std::filesystem::path& path) {
    std::optional<std::string> text = stored_text(path);
    if (!text) {
        throw Error(Failure::kDisk, "cannot read " + path.string(),
                    errno == EINVAL ? "it is no regular file" : std::strerror(errno), "see whether the disk is well");
    }
    return std::move(*text);
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
    const auto number = [&](const char* name) {
        return json.value(name, Json()).is_null() ? std::nullopt : std::optional(json.at(name).get<double>());
    };
    return {json.at("run"),      json.at("status"), json.at("build"), json.at("wall_seconds"),
            number("to_target"), number("loss"),    number("score")};
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
}

Journal::Words Journal::read(const std::filesystem::path& path, bool own) {
    const std::string text = text_of_file(path);
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
        const std::string key = record->at("key");
        const Word word{record->at("time"), path.string()};
        if (record->at("event") == "begin") {
            begun[key] = word;
            continue;
        }
        begun.erase(key);
        if (ends_[key].time > word.time) continue; // of several journals the later word holds
        ends_[key] = word;
        done_[key] = ended_of(*record);
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
