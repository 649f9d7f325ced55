// What happened in a sweep, a line each, never rewritten: which runs began and which are done. After a crash at any moment the
// journal says what is left to do.
//
// Lines are those of experiments/files/checked_line.h. What a crash left of a last line is cut off when the journal is opened. A
// damaged line before others is an error, and so is a whole one that makes no sense. Every shard of a sweep has a journal of its
// own (`journal-2of4`), so that folders merge by copying. All journals that lie in a folder are read. Within a journal the order of lines
// counts, between journals their time, to the second. Where times are equal, what is done stays done.
// Cost: one write and one flush to disk a record.
// Thread-safety: one runner, which holds the folder's lock. Errors: Error (Failure::kDisk).
#pragma once

#include "experiments/files/durable.h"
#include "experiments/text/json_fwd.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace hogwild {

/// How a run ended last.
struct Ended {
    std::string run;                 // its folder, below the sweep's
    std::string status;              // one of kStatuses
    std::string build;               // build_identity()
    double seconds = 0;              // of wall clock, all in
    std::optional<double> to_target; // seconds; nothing: missed, or there is no target
    std::optional<double> loss;      // of training, at the end
    std::optional<double> score{};   // at the end, where the target is of a score

    friend bool operator==(const Ended&, const Ended&) = default;
};

/// As JSON, and back. ended_of throws OddRecord (experiments/files/record_fields.h) for what no run left.
Json ended_json(const Ended& ended);
Ended ended_of(const Json& json);

class Journal {
public:
    /// Reads all journals of the folder, and no more.
    explicit Journal(const std::filesystem::path& folder) { read_all(folder, ""); }

    /// Reads all journals of the folder; appends to `name`.
    Journal(const std::filesystem::path& folder, const std::string& name);

    void begin(const std::string& key);
    void end(const std::string& key, const Ended& ended);

    /// By key: how runs ended last, in any journal.
    const std::map<std::string, Ended>& done() const { return done_; }

    /// Whether the last that was heard of a run is that it began: for the first time, or again after it had ended.
    bool is_open(const std::string& key) const { return open_.contains(key); }

private:
    void read_all(const std::filesystem::path& folder, const std::string& own);
    struct Word {
        std::string time, journal;
    };
    using Words = std::map<std::string, Word>; // by key

    /// Adds what ended; the runs that began behind their last end in this journal.
    Words read(const std::filesystem::path& path, bool own);
    void append(const Json& record);

    std::map<std::string, Ended> done_;
    Words ends_; // the last of each
    std::set<std::string> open_;
    std::optional<AppendFile> file_;
};

} // namespace hogwild
