// What the benchmark programs share: options, rows, rivals, and the tables at the end.
//
//     NAME_bench [--data NAME] [--rival NAME=PROGRAM]... [--benchmark_filter=REGEX] [--benchmark_...]
//
// A row is a function that does the work once and says how long the work itself took. Google Benchmark calls it until a
// repetition has lasted long enough. Repetitions of all rows, rivals included, run in one random order. So the two
// sides of a ratio meet the same moments of a shared machine. The tables show medians; --benchmark_out=FILE keeps every
// repetition.
//
// Exit codes: those of experiments/text/exit_code.h; 1 also when no row matches the filter, or a rival failed, after the tables.
// Thread-safety: rows run one after another, on the main thread.
#pragma once

#include "engine/data/dataset.h"
#include "experiments/bench/harness/figures.h"
#include "experiments/bench/harness/rival.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hogwild {

/// What a row did in one call.
struct Measurement {
    double seconds = 0;
    double amount = 0;                                 // of the program's rate: nonzeros, bytes, increments
    std::vector<std::pair<std::string, double>> means; // further figures, averaged over calls
};

/// An option of a program that takes one or more of some names, and all unasked: `--NAME A,B`.
struct BenchChoice {
    std::string name;
    std::string what; // for --help
    std::vector<std::string> known;
};

class Bench {
public:
    using Work = std::function<Measurement()>;

    /// `rate`: what is done per second, "nonzeros/s".
    Bench(std::string rate, std::string data, std::vector<Rival> rivals)
        : rate_(std::move(rate)), data_(std::move(data)), rivals_(std::move(rivals)) {}

    const std::vector<Rival>& rivals() const { return rivals_; }

    /// --data.
    const std::string& data() const { return data_; }

    /// Whether the command line left this name of a BenchChoice in.
    bool chosen(const std::string& choice, const std::string& name) const;
    void choose(const std::string& choice, std::vector<std::string> names) { choices_[choice] = std::move(names); }

    /// Loads --data: a file, or a generated problem, of such samples. Its shape is printed above the tables.
    Dataset load_data(std::string_view samples = SparseView::kSamples) const;

    /// A row; a repetition lasts at least `seconds` of the work's own time.
    void add(const std::string& row, Work work, double seconds = 0.1);

    /// A row for every rival, called NAME + `suffix`, run once a repetition; its time is that of one repeat. `subject` is
    /// asked for when it runs. A row whose rival fails is not run again; the others go on.
    void add_rivals(const std::string& suffix, const std::function<std::string()>& subject, std::uint64_t repeats);

    /// A line of the last table. Rates, so that above 1 means that `above` is faster.
    void compare(const std::string& what, const std::string& above, const std::string& below);
    void compare(const std::string& what, const std::string& above, const std::string& below, double at_least);

    /// `row` beside the row NAME + `suffix` of every rival; one line that says `absent` where there is none.
    void compare_with_rivals(const std::string& row, const std::string& suffix = "");

    /// Adds a column with the share that each row reaches of this one.
    void set_ceiling(const std::string& row) { ceiling_ = row; }

    /// Prints these instead of one line a row.
    void set_table(std::function<std::string(const Figures&)> table) { table_ = std::move(table); }

    /// Prints this below the tables.
    void set_note(std::function<std::string(const Figures&)> note) { note_ = std::move(note); }

    /// Runs what the filter chose; returns how many rows that were.
    std::size_t run();

    std::string tables() const;

    /// What rivals' rows failed with, by row.
    const std::map<std::string, std::string>& failures() const { return failures_; }

private:
    std::string rate_;
    std::string data_;
    std::vector<Rival> rivals_;
    std::map<std::string, std::vector<std::string>> choices_;
    std::vector<std::string> rows_;
    std::vector<Ratio> ratios_;
    std::string ceiling_;
    std::function<std::string(const Figures&)> table_;
    std::function<std::string(const Figures&)> note_;
    Figures figures_;
    std::map<std::string, std::string> failures_;
};

/// One benchmark program; its main() returns bench_main of it.
struct BenchProgram {
    std::string question; // what it answers, for --help
    std::string rate;     // what is done per second
    std::string data;     // the default of --data; empty: there is no such option
    std::string subject;  // what a rival's two arguments are; empty: there is no rival
    void (*add_rows)(Bench&);
    std::vector<BenchChoice> choices{};
};

int bench_main(int argc, char** argv, const BenchProgram& program);

/// 1, 2, 4, ... and the number of usable cores.
std::vector<unsigned> thread_counts();

} // namespace hogwild
