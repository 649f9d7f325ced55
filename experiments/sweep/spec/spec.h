// What a sweep asks, as its file says it: settings by the names of `hogwild run`'s long options, without their dashes.
//
//   [run]        one value each, of every run              epochs = 20
//   [axes]       lists; their product is run                threads = "[pow2 1..16]"   update = ["racy", "atomic"]
//   [[exclude]]  leaves out what has all of these values    scheme = "round-robin"   threads = [16, 32]
//   [[override]] when = { scheme = "round-robin" }, set = { epochs = 2 }; here and above data is a file's name, wherever it lies;
//                tune = { exchange = [32, 64] }: lists in place of those of [tuning], or beside them
//   [data]       missing = "leave-out": go on without files that are not here (experiments/sweep/missing_data.h);
//                usually they are an error ("error")
//   [seeds]      final = "1..5", tuning = "101..103"
//   [targets]    target = "gap:1e-2", optimum = true
//   [tuning]     lists, of which every compared combination takes its best: step-scale = "[log 0.1..10 x9]". extend =
//                2: how often a grid may grow where the best lies at its edge. candidates = 12: so many for every
//                combination, drawn from more, or with finer steps where there are fewer. halve = true: after each
//                tuning seed the better half of a combination's candidates goes on to the next
//   [screen]     serial = 1, sync = 2, async = 4: of each kind so many schemes get final runs. They are the best by
//                their trials of each data set and problem. A kind that is not named keeps all
//   [finalists]  serial = 2, sync = 2: so many candidates of each combination of such a scheme get final runs. They are
//                the best of those that all tuning seeds tried. So a yardstick is not what three seeds took for its
//                best. A kind that is not named has one
//   [report]     title = "...", note = "..."
//   [[paper]]    a publication's number, for the report to print beside ours: source, hardware, data, what, value,
//                unit, note. For ours: the column of summary.csv and, in where and over, the runs (docs/reference/sweep-file.md)
//
// Lists: an array, or a text as on the command line. A list's values are what that option takes (experiments/options/lists.h,
// experiments/options/axes.h).
// Thread-safe: pure functions. Errors: Error (Failure::kUsage) with file, line, and what is known.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hogwild {

/// An option, without dashes, and its value as it would be typed; a flag has "true".
struct Setting {
    std::string option;
    std::string value;

    bool operator==(const Setting&) const = default;
};

/// An option and some of its values.
struct Choice {
    std::string option;
    std::vector<std::string> values;
};

struct Override {
    std::vector<Choice> when; // all of them
    std::vector<Setting> set;
    std::vector<Choice> tune;
};

/// A publication's number: which runs it is about, and which it divides them by.
struct Paper {
    std::vector<Setting> where; // all of them
    std::vector<Setting> over;  // none: it is no ratio
};

/// Counts by kind of scheme (engine/plan/scheme_traits.h).
using ByKind = std::map<std::string, std::size_t, std::less<>>;

/// Data that are not here, and what is said of them.
struct MissingData {
    std::string name;
    std::string note;
};

struct Spec {
    /// Something is tuned or screened.
    bool chooses() const;

    /// How many of a combination's candidates get final runs, where so many were tried with all tuning seeds.
    std::size_t finalists_of(std::string_view scheme) const;

    std::string text; // the file, as it is
    std::vector<Setting> run;
    std::vector<Choice> axes;
    std::vector<std::vector<Choice>> excludes; // each: all of them
    std::vector<Override> overrides;
    std::vector<std::string> seeds{"1", "2", "3", "4", "5"};
    std::vector<std::string> tuning_seeds{"101", "102", "103"};
    std::vector<Choice> tuning;
    unsigned extend = 0;
    std::size_t candidates = 0; // of every combination; 0: as its lists make
    bool halve = false;
    std::optional<ByKind> screen; // schemes that get final runs; of a kind that is not there all
    ByKind finalists;             // of each combination the candidates that do; of a kind that is not there one
    bool goes_on_without_data = false;
    std::vector<MissingData> left_out; // of which no case is: leave_out_missing() finds them
    std::vector<Paper> papers;
    std::string title;
    std::string note;
};

/// The file's; `changes` are "table.key=value", as if the file said so ("run.epochs=3", "axes.threads=1,2").
Spec read_spec(const std::filesystem::path& path, const std::vector<std::string>& changes = {});

/// The spec of a text, `changes` applied; `name` stands in errors.
Spec parse_spec(std::string_view text, std::string_view name, const std::vector<std::string>& changes = {});

} // namespace hogwild
