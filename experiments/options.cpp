#include "experiments/options.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/machine/gpus.h"
#include "engine/plan.h"
#include "experiments/numbers.h"
#include "experiments/user_folder.h"

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

#include <functional>
#include <string_view>

namespace hogwild {
namespace {

constexpr const char* kAxes = "Axes (each takes a list: their product is run)";

/// An axis: a text that `parse` turns into its values.
template <class T, class Parse>
void add_list(CLI::App& app, Axes& axes, const std::string& name, std::vector<T>& values, const Parse& parse,
              const std::string& known, const std::string& help, const std::string& group = kAxes) {
    const auto set = [&axes, &values, name, parse](const std::string& text) {
        values = parse(name, text);
        axes.given.insert(name);
    };
    app.add_option_function<std::string>(name, set, help)->type_name(known)->group(group);
}

double positive(const std::string& name, const std::string& text) {
    const auto value = parse_real(text);
    if (!value || *value <= 0) {
        throw Error(Failure::kUsage, name + " cannot be '" + text + "'", "it is not a number above 0",
                    "give one like 0.5");
    }
    return *value;
}

std::uint32_t one_count(const std::string& name, const std::string& text) {
    const auto values = count_list(name, text);
    if (values.size() == 1) return values[0];
    throw Error(Failure::kUsage, name + " cannot be '" + text + "'", "it is not an axis", "give one whole number");
}

/// "racy|atomic|..."
std::string names(std::string_view axis) { return fmt::format("{}", fmt::join(known_names(axis), "|")); }

/// Whole numbers that fit where plans count workers.
std::vector<unsigned> small_counts(std::string_view option, std::string_view text) {
    const std::vector<std::uint32_t> values = count_list(option, text);
    return {values.begin(), values.end()};
}

void add_axes(CLI::App& app, Axes& axes) {
    const auto threads = [](const std::string& name, const std::string& text) {
        return thread_list(name, text, usable_cores());
    };
    add_list(app, axes, "--problem", axes.problem, name_list, names("problem"), "What is minimised");
    add_list(app, axes, "--scheme", axes.scheme, name_list, names("scheme"), "Who works when");
    add_list(app, axes, "--update", axes.update, name_list, names("update"),
             "How an increment reaches the shared buffer (hogwild without a guard; default: racy on threads, atomic "
             "with a GPU)");
    add_list(app, axes, "--guard", axes.guard, name_list, names("guard"), "What is held around one step (hogwild)");
    add_list(
        app, axes, "--threads", axes.threads, threads, "N|A..B|all",
        "Workers: 1,2,4; a range doubles, 1..16 is 1,2,4,8,16; all is 1..usable cores (default: the usable cores; with "
        "--device both one fewer for every stream and the replica's bridge, and one for the rest of the system)");
    add_list(app, axes, "--placement", axes.placement, name_list, names("placement"),
             "Where each coordinate lies in the buffer (default: stored; of hogwild's sparse rows on a GPU scattered, "
             "where it copies "
             "hot coordinates hot-first)");
    add_list(app, axes, "--step", axes.step, name_list, names("step"), "How the step size falls");
    add_list(app, axes, "--step-size", axes.step_size, real_list, "X", "Step size of the first update");
    add_list(app, axes, "--step-scale", axes.step_scale, scale_list, "X",
             "Times the step size: of the default, one grid for all schemes");
    add_list(app, axes, "--decay", axes.decay, real_list, "X", "decay: factor per epoch; backoff: factor on a plateau");
    add_list(app, axes, "--batch", axes.batch, count_list, "N", "minibatch: samples per step");
    add_list(app, axes, "--exchange", axes.exchange, count_list, "N",
             "local-sgd: samples per worker between averagings, 0 for once per epoch");
    add_list(app, axes, "--l2", axes.l2, l2_list, "X|1/n",
             "lambda of (lambda / 2) |w|^2 (default: 1/n; of ratings, each shrinking what it touches, 0.04 times their "
             "deviation)");
    add_list(app, axes, "--epochs", axes.epochs, count_list, "N", "Traversals of the samples, all workers together");
    add_list(app, axes, "--order", axes.order, name_list, names("order"), "In which order samples are visited");
    add_list(app, axes, "--pin", axes.pin, name_list, names("pin"), "Where threads are bound");
    add_list(app, axes, "--lanes", axes.lanes, name_list, names("lanes"), "Instruction set: same bits, another speed");
    add_list(
        app, axes, "--delay", axes.delay, real_list, "SECONDS",
        "Added to each gradient, between its reads and its writes: what a costlier loss would do (CPU threads, not "
        "minibatch; default: 0)");
    add_list(app, axes, "--telemetry", axes.telemetry, name_list, names("telemetry"),
             "Staleness and lost updates: sampled costs a little, exact is not for timed runs");
    add_list(app, axes, "--seed", axes.seed, seed_list, "N|A..B", "Repeats; 1..5 is 1,2,3,4,5");
}

/// What models have besides their weights.
void add_parameters(CLI::App& app, Axes& axes) {
    for (const std::string_view problem : known_names("problem")) {
        for (const Parameter& parameter : parameters(problem)) {
            const std::string option = option_of(parameter);
            // By name at every parse: copying options gives their map other nodes.
            const auto set = [&axes, option, name = std::string(parameter.name)](const std::string& text) {
                axes.parameters[name] = real_list(option, text);
                axes.given.insert(option);
            };
            app.add_option_function<std::string>(
                   option, set, fmt::format("{}: {} (default: {})", problem, parameter.about, parameter.usual))
                ->type_name(parameter.whole ? "N" : "X")
                ->group("Axes of a model (lists too)");
        }
    }
}

/// Those that want a GPU; a build without CUDA takes them too, and says what is missing when a run wants it.
void add_gpu_axes(CLI::App& app, Axes& axes) {
    const std::string group =
        built_for_gpus() ? "Axes of a GPU (lists too; without a GPU, what asks for it ends with exit code 69)"
                         : "Axes of a GPU (lists too; this build is without CUDA: what asks for a GPU ends with exit "
                           "code 69)";
    const auto add = [&](const std::string& name, auto& values, const auto& parse, const std::string& known,
                         const std::string& help) { add_list(app, axes, name, values, parse, known, help, group); };
    add("--device", axes.device, name_list, names("device"),
        "Whose workers step (hogwild; minibatch but not on both): cpu, threads; gpu, streams; both (default: cpu)");
    add("--memory", axes.memory, name_list, names("memory"),
        "Where the parameter buffer lies (hogwild; default: host for cpu, device for gpu, replica for both), see "
        "below");
    add("--streams", axes.streams, small_counts, "N", "GPU workers (hogwild on a GPU; default: 4)");
    add("--blocks", axes.blocks, count_list, "N",
        "Thread blocks of a stream, 8 warps each; a warp steps on a row, so streams x blocks x 8 rows are in flight "
        "(default: 66)");
    add("--hot", axes.hot, count_list, "N",
        "Hottest coordinates that each thread block copies and adds to, of dense rows all or none; 0 for none; needs "
        "--placement hot-first, hot-apart or hottest (default: 64 from 100 blocks of all streams up under "
        "atomic, 0 otherwise and with --telemetry exact)");
    add("--hot-rule", axes.hot_rule, real_list, "X",
        "Share of a copy's increments that reach the buffer: 1 sums over blocks, less averages (default: 1)");
    add("--bridge-rule", axes.bridge_rule, real_list, "X",
        "replica: share of the GPU's increments that reach the host's array (default: 1)");
    add("--bridge-pause", axes.bridge_pause, real_list, "SECONDS", "replica: pause between two exchanges (default: 0)");
}

void add_single_values(CLI::App& app, Axes& axes) {
    const auto add = [&](const std::string& name, const std::function<void(const std::string&)>& set, const char* type,
                         const std::string& help) {
        const auto set_given = [&axes, name, set](const std::string& text) {
            set(text);
            axes.given.insert(name);
        };
        app.add_option_function<std::string>(name, set_given, help)->type_name(type)->group("One value for every run");
    };
    add(
        "--half-life", [&](const std::string& text) { axes.half_life = positive("--half-life", text); }, "EPOCHS",
        "inverse-time: epochs after which the step has halved (default: 1)");
    add(
        "--plateau", [&](const std::string& text) { axes.plateau = positive("--plateau", text); }, "X",
        "backoff: relative improvement per epoch below which the step shrinks (default: 0.01)");
    add(
        "--cas-limit", [&](const std::string& text) { axes.cas_limit = one_count("--cas-limit", text); }, "N",
        "cas-bounded: tries before an increment is dropped (default: 8)");
    add(
        "--observe", [&](const std::string& text) { axes.observations_per_epoch = one_count("--observe", text); }, "N",
        "Snapshots per epoch, copied while workers run (default: 10)");
}

} // namespace

void add_label_options(CLI::App& app, DataOptions& data) {
    app.add_option("--positive-class", data.positive_class, "The label that becomes +1; every other becomes -1")
        ->type_name("LABEL")
        ->group("Data");
    app.add_flag("--real-labels", data.real_labels, "Keep labels as they are (for the squared loss)")->group("Data");
}

void add_cache_options(CLI::App& app, DataOptions& data) {
    app.add_flag_callback(
           "--no-cache", [&] { data.use_cache = false; }, "Parse the text, neither read nor write the binary cache")
        ->group("Data");
    app.add_option("--cache", data.cache_folder, "Folder of the binary cache (default: the user's cache folder)")
        ->type_name("DIR")
        ->group("Data");
}

void add_text_options(CLI::App& app, DataOptions& data) {
    app.add_option("--min-count", data.min_count, "Text: words that occur less often are taken out of it (default: 5)")
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
        ->group("Data");
    app.add_option("--similarity", data.similarity,
                   "Text: pairs of words with people's scores, of MEN or WS-353 (default: EN-MEN-TR-3k.txt and "
                   "EN-WS-353-ALL.txt beside the text)")
        ->type_name("FILE[,FILE]")
        ->delimiter(',')
        ->group("Data");
    app.add_option("--analogies", data.analogies,
                   "Text: analogies as in word2vec's questions (default: questions-words.txt beside the text)")
        ->type_name("FILE")
        ->group("Data");
}

LoadOptions DataOptions::load_options() const {
    LoadOptions load;
    load.positive_class = positive_class;
    load.keep_labels = real_labels;
    load.min_count = min_count;
    load.similarity = similarity;
    load.analogies = analogies;
    load.use_cache = use_cache;
    load.cache_directory = !use_cache ? "" : cache_folder.empty() ? default_cache_folder() : cache_folder;
    return load;
}

TargetOption parse_target(const std::string& text) {
    constexpr std::string_view kGap = "gap:";
    TargetOption target;
    target.is_gap = text.starts_with(kGap);
    const auto value = parse_real(std::string_view(text).substr(target.is_gap ? kGap.size() : 0));
    if (!value || (target.is_gap && (*value <= 0 || *value >= 1))) {
        throw Error(Failure::kUsage, "--target cannot be '" + text + "'",
                    "it is neither a loss nor gap:X with X between 0 and 1", "give one like 0.31 or gap:1e-2");
    }
    target.value = *value;
    return target;
}

std::string default_cache_folder() { return user_folder("XDG_CACHE_HOME", ".cache"); }

void add_run_options(CLI::App& app, RunOptions& options) {
    app.description("Train with every combination of the axes, then print one table and draw the plots.");
    app.footer(
        "Example, the rivals of the 2011 paper on data that imitates RCV1:\n"
        "  hogwild run --data synthetic:rcv1/20 --test held-out --scheme serial,hogwild,round-robin,minibatch \\\n"
        "              --guard none,locked --update racy,atomic --threads all --target gap:1e-2\n"
        "CPU threads, a GPU, and both at once (left out: what cannot run):\n"
        "  hogwild run --data synthetic:rcv1/20 --scheme serial,hogwild --device cpu,gpu,both --target gap:1e-2\n"
        "Memory: host is ordinary; mapped is the host's, page-locked, and the GPU reaches it across the link; the "
        "pages\n"
        "of managed move to whoever touches them, of managed-host stay on the host, of managed-device prefer the GPU;\n"
        "device is the GPU's own, device-bf16 and device-fp16 in 16 bits; replica is an array on either side, between\n"
        "which a bridge exchanges increments.\n"
        "Exit codes: 0 done, 1 error, 2 usage, 3 a run diverged, 4 a run missed the target, 69 something needed is\n"
        "missing, 74 disk, 130 interrupted. Steps, epochs and batch have defaults for each problem and scheme; they\n"
        "are printed before the runs. In updates per second an update is one sample consumed, whatever the scheme: a\n"
        "batch of 256 counts as 256.");
    options.axes.cores = usable_cores();
    add_axes(app, options.axes);
    add_parameters(app, options.axes);
    add_gpu_axes(app, options.axes);
    add_single_values(app, options.axes);
    app.add_option("--data", options.data.name,
                   "Training samples: LIBSVM text, ratings, a graph or a text, whatever the problem takes (.gz, .bz2, "
                   ".xz, .zst); "
                   "a set that hogwild data fetch brought; synthetic:rcv1, synthetic:rcv1/20 (its rows divided); "
                   "synthetic:rows=10000,features=2000,nonzeros=20,zipf=1,noise=0.05,spread=0.5,order=shuffled; "
                   "synthetic:netflix/100 and others of ratings, synthetic:grid=64x64 and others of graphs, "
                   "synthetic:words,tokens=100000,words=1000,topics=20")
        ->type_name("PATH|NAME|synthetic:...")
        ->required()
        ->group("Data");
    app.add_option(
           "--test", options.test,
           "Test samples; held-out: fresh ones of a synthetic problem, else a tenth of the samples, or SHARE of them "
           "(default: none; of ratings held-out)")
        ->type_name("PATH|held-out[:SHARE]|none")
        ->group("Data");
    app.add_option("--split-seed", options.split_seed, "Which samples are held out (default: 1)")
        ->type_name("N")
        ->group("Data");
    add_label_options(app, options.data);
    add_text_options(app, options.data);
    add_cache_options(app, options.data);
    app.add_option_function<std::string>(
           "--target", [&](const std::string& text) { options.target = parse_target(text); },
           "Report when each run first reached this train loss; gap:X means F* + X (F(w0) - F*)")
        ->type_name("LOSS|gap:X")
        ->group("What is measured");
    app.add_flag("--optimum", options.optimum, "Solve for F* first, so that every loss has its distance to it")
        ->group("What is measured");
    app.add_flag("--oversubscribe", options.oversubscribe,
                 "Run more threads than usable cores where --threads asks for them")
        ->group("What is measured");
    app.add_flag("--in-order", options.in_order, "Run in the order of the axes (default: random within each seed)")
        ->group("What is measured");
    app.add_flag_callback(
           "--no-warm-up", [&] { options.warm_up = false; }, "Skip the first run of one epoch, whose result is dropped")
        ->group("What is measured");
    app.add_option("-o,--output", options.output, "Where results go (default: a new folder below hogwild-out)")
        ->type_name("DIR")
        ->group("Output");
    app.add_option(
           "--save", options.save,
           "Write the final weights, of a single run: .npy, .safetensors, .model (text that liblinear's predict "
           "reads); of a cut .pgm (the image of its classes), of skipgram .bin or .txt (word2vec's formats)")
        ->type_name("FILE")
        ->group("Output");
    app.add_option("--grid", options.grid, "Size of the image that --save FILE.pgm writes (default: a square)")
        ->type_name("WxH")
        ->group("Output");
    app.add_option("--tensorboard", options.tensorboard, "Write event files for TensorBoard too, to a new folder")
        ->type_name("OUT")
        ->group("Output");
    add_checkpoint_options(app, options);
    app.add_flag("--json", options.json, "One JSON object for each run on standard output, instead of the table")
        ->group("Output");
    app.add_flag("--quiet", options.quiet, "Only errors, warnings and what was left out on standard error")
        ->group("Output");
    CLI::Option* plot = app.add_flag_callback(
        "--plot", [&] { options.plot = true; }, "Fail if the results cannot be drawn");
    CLI::Option* no_plot = app.add_flag_callback(
        "--no-plot", [&] { options.plot = false; }, "Do not draw the results");
    plot->group("Output");
    no_plot->group("Output")->excludes(plot);
}

void add_data_command(CLI::App& describe, CLI::App& check, CLI::App& convert, DataCommandOptions& options) {
    describe.description("Describe a dataset: its shape, its labels, and how much its samples collide.");
    describe.footer("Examples:\n"
                    "  hogwild data train.svm.xz\n"
                    "  hogwild data image.max.gz --problem cut\n"
                    "  hogwild data check train.svm\n"
                    "  hogwild data convert synthetic:rcv1/100 rcv1-like.svm");
    describe.add_option("NAME", options.data.name,
                        "LIBSVM text (.gz, .bz2, .xz, .zst), a fetched set or synthetic:...");
    const auto add_problem = [&](CLI::App& app) {
        app.add_option("--problem", options.problem, "What the samples are for: how they are read (default: hinge)")
            ->group("Data");
    };
    add_problem(describe);
    describe.add_flag("--json", options.json, "One JSON object instead of text")->group("Output");
    add_label_options(describe, options.data);
    add_cache_options(describe, options.data);

    check.description("Parse everything without the cache, say what is wrong or suspicious.");
    check.footer("Example:\n  hogwild data check train.svm --positive-class 4");
    check.add_option("NAME", options.data.name, "The file, or synthetic:...")->required();
    add_problem(check);
    add_label_options(check, options.data);

    convert.description("Write a dataset as LIBSVM text that reads back to the same samples.");
    convert.footer("Example:\n  hogwild data convert train.svm.xz train.svm");
    convert.add_option("IN", options.data.name, "A file, or synthetic:...")->required();
    convert.add_option("OUT", options.convert_to, "The LIBSVM text to write")->required();
    convert.add_flag("--overwrite", options.overwrite, "Replace OUT if it exists")->group("Output");
    convert.add_option("--positive-class", options.data.positive_class, "Write this label as +1 and every other as -1")
        ->type_name("LABEL")
        ->group("Data");
    add_cache_options(convert, options.data);
}

void add_info_options(CLI::App& app, InfoOptions& options) {
    app.description("What this machine can do: cores, caches, NUMA, instruction sets, GPUs, and measured ceilings.");
    app.footer("Example:\n  hogwild info --json");
    app.add_flag("--json", options.json, "One JSON object instead of text");
    app.add_flag_callback(
        "--no-measure", [&] { options.measure = false; }, "Only describe, measure nothing");
}

} // namespace hogwild
