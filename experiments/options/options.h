// The command line as values. Defined here and nowhere else: names, help, examples.
//
// Errors while parsing: Error (Failure::kUsage).
#pragma once

#include "engine/data/load.h"
#include "experiments/options/axes.h"
#include "experiments/options/target_option.h"

#include <optional>
#include <string>
#include <vector>

namespace hogwild {

class CommandLine;

struct DataOptions {
    std::string name; // a path or "synthetic:..."
    std::optional<double> positive_class;
    bool real_labels = false;
    std::optional<std::uint64_t> min_count; // of text; nothing: the usual one
    std::vector<std::string> similarity;    // of text: files of pairs; none: those beside it
    std::string analogies;                  // of text; empty: the file beside it
    bool use_cache = true;
    std::string cache_folder; // empty: the user's cache folder

    LoadOptions load_options() const;
};

struct RunOptions {
    Axes axes;
    DataOptions data;
    std::string test;             // a path, "held-out", "held-out:SHARE", "none", or empty
    std::uint64_t split_seed = 1; // which samples are held out
    std::optional<TargetOption> target;
    bool optimum = false;
    bool oversubscribe = false;
    bool in_order = false;
    bool warm_up = true;
    std::string output;               // empty: a new folder below hogwild-out
    std::string save;                 // a file for the weights of the one run; empty: none
    std::string grid;                 // "WxH" of the image that is saved; empty: a square
    std::string tensorboard;          // a folder for event files; empty: none
    std::optional<double> checkpoint; // seconds from one to the next; nothing: none
    bool resume = false;
    bool json = false;
    bool quiet = false;
    std::optional<bool> plot;     // nothing: draw when the drawing program is there
    std::optional<double> budget; // seconds that --scheme auto tunes for
    std::string tuned;            // JSON for the manifest: how the plan was found; empty: it was asked for
};

struct DataCommandOptions {
    DataOptions data;
    std::string problem = "hinge"; // says what the samples are
    std::string convert_to;
    bool overwrite = false;
    bool json = false;
};

struct InfoOptions {
    bool json = false;
    bool measure = true;
};

struct ReportOptions {
    std::string folder;
    std::string size = "page"; // of the figures
};

void add_run_options(CommandLine& app, RunOptions& options);
void add_data_command(CommandLine& describe, CommandLine& check, CommandLine& convert, DataCommandOptions& options);
void add_checkpoint_options(CommandLine& app, RunOptions& options);
void add_info_options(CommandLine& app, InfoOptions& options);
void add_report_options(CommandLine& app, ReportOptions& options);

/// How labels are read, where the binary cache lies, how a text is read: of commands that load samples.
void add_label_options(CommandLine& app, DataOptions& data);
void add_cache_options(CommandLine& app, DataOptions& data);
void add_text_options(CommandLine& app, DataOptions& data);

/// The user's cache folder for this program: $XDG_CACHE_HOME/hogwild, else $HOME/.cache/hogwild, else empty.
std::string default_cache_folder();

} // namespace hogwild
