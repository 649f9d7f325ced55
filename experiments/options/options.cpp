#include "experiments/options/options.h"
#include "experiments/options/command_line.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/numbers.h"
#include "engine/plan/name_places.h"
#include "experiments/options/axis_options.h"
#include "experiments/options/duration.h"
#include "experiments/options/memory_and_numbers.h"
#include "experiments/text/user_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace hogwild {

void add_label_options(CommandLine& app, DataOptions& data) {
    app.option("--positive-class", data.positive_class, "The label that becomes +1; every other becomes -1")
        .shown_as("LABEL")
        .in("Data");
    app.flag("--real-labels", data.real_labels, "Keep labels as they are (for the squared loss)").in("Data");
}

void add_cache_options(CommandLine& app, DataOptions& data) {
    app.on_flag(
           "--no-cache", [&] { data.use_cache = false; }, "Parse the text, neither read nor write the binary cache")
        .in("Data");
    app.option("--cache", data.cache_folder, "Folder of the binary cache (default: the user's cache folder)")
        .shown_as("DIR")
        .in("Data");
}

void add_text_options(CommandLine& app, DataOptions& data) {
    app.option("--min-count", data.min_count, "Text: words that occur less often are taken out of it (default: 5)")
        .shown_as("N")
        .between(1, std::uint64_t{1} << 40)
        .in("Data");
    app.option("--similarity", data.similarity,
               "Text: pairs of words with people's scores, of MEN or WS-353 (default: EN-MEN-TR-3k.txt and "
               "EN-WS-353-ALL.txt beside the text)")
        .shown_as("FILE[,FILE]")
        .split_at(',')
        .in("Data");
    app.option("--analogies", data.analogies,
               "Text: analogies as in word2vec's questions (default: questions-words.txt beside the text)")
        .shown_as("FILE")
        .in("Data");
}

LoadOptions DataOptions::load_options() const {
    LoadOptions load;
    load.positive_class = positive_class;
    load.keep_labels = real_labels;
    load.min_count = min_count.value_or(load.min_count);
    load.similarity = similarity;
    load.analogies = analogies;
    load.use_cache = use_cache;
    load.cache_directory = !use_cache ? "" : cache_folder.empty() ? default_cache_folder() : cache_folder;
    return load;
}

std::string default_cache_folder() { return user_folder("XDG_CACHE_HOME", ".cache"); }

namespace {

constexpr const char* kRunExamples =
    "Example, the rivals of the 2011 paper on data that imitates RCV1:\n"
    "  hogwild run --data synthetic:rcv1/20 --test held-out --scheme serial,hogwild,round-robin,minibatch \\\n"
    "              --guard none,locked --update racy,atomic --threads all --target gap:1e-2\n"
    "CPU threads, a GPU, and both at once (left out: what cannot run):\n"
    "  hogwild run --data synthetic:rcv1/20 --scheme serial,hogwild --device cpu,gpu,both --target gap:1e-2\n";

constexpr const char* kRunFooterEnd =
    "Exit codes: 0 done, 1 error, 2 usage, 3 a run diverged, 4 a run missed the target, 69 something needed is\n"
    "missing, 74 disk, 130 interrupted. Steps, epochs and batch have defaults for each problem and scheme; they\n"
    "are printed before the runs. In updates per second an update is one sample consumed, whatever the scheme: a\n"
    "batch of 256 counts as 256; an epoch of {column_steps}, which steps on each of them once, counts as its samples.";

void add_data_options(CommandLine& app, RunOptions& options) {
    app.option("--data", options.data.name,
               "Training samples: LIBSVM text, ratings, a graph, a text or images, whatever the problem takes (.gz, "
               ".bz2, .xz, .zst); images are a folder with MNIST's or CIFAR-10's files, or one of them; "
               "a set that hogwild data fetch brought; synthetic:rcv1, synthetic:rcv1/20 (its rows divided); "
               "synthetic:rows=10000,features=2000,nonzeros=20,zipf=1,noise=0.05,spread=0.5,order=shuffled; "
               "synthetic:netflix/100 and others of ratings, synthetic:grid=64x64 and others of graphs, "
               "synthetic:words,tokens=100000,words=1000,topics=20, synthetic:images/10")
        .shown_as("PATH|NAME|synthetic:...")
        .required()
        .in("Data");
    app.option("--test", options.test,
               "Test samples; held-out: fresh ones of a synthetic problem, the test images of a folder, else a "
               "tenth of the "
               "samples, or SHARE of them "
               "(default: none; of ratings and images held-out)")
        .shown_as("PATH|held-out[:SHARE]|none")
        .in("Data");
    app.option("--split-seed", options.split_seed, "Which samples are held out (default: 1)").shown_as("N").in("Data");
    add_label_options(app, options.data);
    add_text_options(app, options.data);
    add_cache_options(app, options.data);
}

void add_measuring_options(CommandLine& app, RunOptions& options) {
    app.on_option(
           "--target", [&](const std::string& text) { options.target = parse_target(text); },
           "Report when each run first reached this train loss; gap:X means F* + X (F(w0) - F*); SCORE:X a score of "
           "the "
           "problem, as in test_rmse:0.9 or analogy_accuracy:0.3")
        .shown_as("LOSS|gap:X|SCORE:X")
        .in("What is measured");
    app.flag("--optimum", options.optimum, "Solve for F* first, so that every loss has its distance to it")
        .in("What is measured");
    app.flag("--oversubscribe", options.oversubscribe,
             "Run more threads than usable cores where --threads asks for them")
        .in("What is measured");
    app.flag("--in-order", options.in_order, "Run in the order of the axes (default: random within each seed)")
        .in("What is measured");
    app.on_flag(
           "--no-warm-up", [&] { options.warm_up = false; }, "Skip the first run of one epoch, whose result is dropped")
        .in("What is measured");
    app.on_option(
           "--budget", [&](const std::string& text) { options.budget = seconds_of("--budget", text); },
           "--scheme auto: time for finding what runs best, before the run and on no run's clock (default: 20s)")
        .shown_as("TIME")
        .in("What is measured");
}

void add_output_options(CommandLine& app, RunOptions& options) {
    app.option("-o,--output", options.output, "Where results go (default: a new folder below hogwild-out)")
        .shown_as("DIR")
        .in("Output");
    app.option("--save", options.save,
               "Write the final weights, of a single run: .npy, .safetensors, .model (text that liblinear's predict "
               "reads); of a cut .pgm (the image of its classes), of skipgram .bin or .txt (word2vec's formats)")
        .shown_as("FILE")
        .in("Output");
    app.option("--grid", options.grid, "Size of the image that --save FILE.pgm writes (default: a square)")
        .shown_as("WxH")
        .in("Output");
    app.option("--tensorboard", options.tensorboard, "Write event files for TensorBoard too, to a new folder")
        .shown_as("OUT")
        .in("Output");
    add_checkpoint_options(app, options);
    app.flag("--json", options.json, "One JSON object for each run on standard output, instead of the table")
        .in("Output");
    app.flag("--quiet", options.quiet, "Only errors, warnings and what was left out on standard error").in("Output");
    CommandOption plot = app.on_flag(
        "--plot", [&] { options.plot = true; }, "Fail if the results cannot be drawn");
    CommandOption no_plot = app.on_flag(
        "--no-plot", [&] { options.plot = false; }, "Do not draw the results");
    plot.in("Output");
    no_plot.in("Output").excludes(plot);
}

} // namespace

void add_run_options(CommandLine& app, RunOptions& options) {
    app.about("Train with every combination of the axes, then print one table and draw the plots.");
    app.footer(with_names(std::string(kRunExamples) + kMemoryText + kNumbersText + kRunFooterEnd));
    options.axes.cores = usable_cores();
    add_axis_options(app, options.axes);
    add_data_options(app, options);
    add_measuring_options(app, options);
    add_output_options(app, options);
}

void add_data_command(CommandLine& describe, CommandLine& check, CommandLine& convert, DataCommandOptions& options) {
    describe.about("Describe a dataset: its shape, its labels, and how much its samples collide.");
    describe.footer("Examples:\n"
                    "  hogwild data train.svm.xz\n"
                    "  hogwild data image.max.gz --problem cut\n"
                    "  hogwild data check train.svm\n"
                    "  hogwild data convert synthetic:rcv1/100 rcv1-like.svm");
    describe.option(
        "NAME", options.data.name,
        "LIBSVM text, by --problem ratings, a graph or a text (.gz, .bz2, .xz, .zst), a fetched set or synthetic:...");
    const auto add_problem = [&](CommandLine& app) {
        app.option("--problem", options.problem, "What the samples are for: how they are read (default: hinge)")
            .in("Data");
    };
    add_problem(describe);
    describe.flag("--json", options.json, "One JSON object instead of text").in("Output");
    add_label_options(describe, options.data);
    add_cache_options(describe, options.data);

    check.about("Parse everything without the cache, say what is wrong or suspicious.");
    check.footer("Example:\n  hogwild data check train.svm --positive-class 4");
    check.option("NAME", options.data.name, "The file, or synthetic:...").required();
    add_problem(check);
    add_label_options(check, options.data);

    convert.about("Write a dataset as LIBSVM text that reads back to the same samples.");
    convert.footer("Example:\n  hogwild data convert train.svm.xz train.svm");
    convert.option("IN", options.data.name, "A file, or synthetic:...").required();
    convert.option("OUT", options.convert_to, "The LIBSVM text to write").required();
    convert.flag("--overwrite", options.overwrite, "Replace OUT if it exists").in("Output");
    convert.option("--positive-class", options.data.positive_class, "Write this label as +1 and every other as -1")
        .shown_as("LABEL")
        .in("Data");
    add_cache_options(convert, options.data);
}

void add_info_options(CommandLine& app, InfoOptions& options) {
    app.about("What this machine can do: cores, caches, NUMA, instruction sets, GPUs, and measured ceilings.");
    app.footer("Example:\n  hogwild info --json");
    app.flag("--json", options.json, "One JSON object instead of text");
    app.on_flag(
        "--no-measure", [&] { options.measure = false; }, "Only describe, measure nothing");
}

} // namespace hogwild
