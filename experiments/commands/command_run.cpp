// hogwild run: load, multiply the axes, fix the targets, measure, print, draw.
#include "engine/plan/choices.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"
#include "experiments/commands/commands.h"

#include "engine/data/sparse/norms.h"
#include "engine/data/synthetic/synthetic.h"
#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/machine/gpus.h"
#include "engine/machine/memory_budget.h"
#include "engine/machine/provenance.h"
#include "engine/memory/memory_kind.h"
#include "engine/plan/derived/sharing.h"
#include "engine/plan/meaning.h"
#include "engine/plan/name_places.h"
#include "engine/plan/problem_traits.h"
#include "engine/run.h"
#include "experiments/checkpoint/kept_weights.h"
#include "experiments/files/durable.h"
#include "experiments/files/output_not_input.h"
#include "experiments/folder/apart_from_results.h"
#include "experiments/folder/long_command.h"
#include "experiments/folder/run_key.h"
#include "experiments/inputs/announce.h"
#include "experiments/inputs/data_folder.h"
#include "experiments/inputs/idle_data.h"
#include "experiments/inputs/input_files.h"
#include "experiments/inputs/inputs.h"
#include "experiments/inputs/pairing.h"
#include "experiments/machine/gpu_info.h"
#include "experiments/model/model.h"
#include "experiments/model/model_labels.h"
#include "experiments/model/trained_model.h"
#include "experiments/model/word_vectors.h"
#include "experiments/options/old_spellings.h"
#include "experiments/plans/hot_choice.h"
#include "experiments/plans/hot_default.h"
#include "experiments/plans/product.h"
#include "experiments/scripts/exports.h"
#include "experiments/scripts/plots.h"
#include "experiments/session/interrupt.h"
#include "experiments/session/session.h"
#include "experiments/table/final_table.h"
#include "experiments/targets/objectives.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/printable.h"
#include "experiments/text/tell.h"
#include "kernels/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>
#include <utility>

namespace hogwild {
namespace {

constexpr std::uint64_t kManyRows = std::uint64_t{1} << 40; // when the samples are not counted yet: 1/n is harmless

/// Labels that are not classes have no margin to be on the right side of. The problems' names are known.
void check_labels(const RunOptions& options) {
    if (!options.data.real_labels) return;
    for (const std::string& problem : options.axes.texts("problem")) {
        if (!is_linear(problem)) continue; // other samples have no labels to keep
        if (with_linear_problem(problem, []<class Problem>(Problem) { return Problem::real_labels; })) continue;
        throw Error(Failure::kUsage, "--real-labels cannot go with " + problem, "its labels are -1 and +1",
                    "leave it out, or run problems with real labels alone, such as --problem squared");
    }
}

void say_left_out(const Product& all) {
    for (const LeftOut& left : all.left_out) {
        tell("left out: {} ({})\n", describe(left.plan), left.why);
    }
}

/// Says which combinations cannot run. Errors: usage when nothing is left.
void check_left(const Product& all) {
    say_left_out(all);
    if (all.plans.empty()) {
        throw Error(Failure::kUsage, "nothing is left to run", "every combination of the axes was left out",
                    "change the axes named above");
    }
}

/// Says which plans cannot run. Errors: usage when none can.
Product product_of(const Axes& axes, const Dataset& train, const HotChooser& hot, const Gpus& gpus) {
    Product all = product(axes, train.view().rows(), sample_scale(train.view()), &hot);
    leave_out(all, [&](const Plan& plan) {
        const std::string why = wants_gpu(plan) ? why_not_on(gpus.list[0], plan) : "";
        return why.empty() ? why_not(plan, train) : why;
    });
    check_left(all);
    return all;
}

/// Checks the two axes on which `hogwild run` knows more than plans do. Errors: usage.
void check_names(const Axes& axes) {
    for (const std::string& scheme : axes.texts("scheme")) check_name("scheme", scheme, kAuto);
    for (const std::string& updates : axes.texts("hot_updates")) check_name("hot-updates", updates, kAuto);
}

/// Sets --hot-updates where it was not given.
HotDefault take_hot_default(const RunOptions& options, Axes& axes, const AnyView& samples) {
    const char* const resumed = options.resume ? "--resume" : "";
    HotDefault taken = hot_default(axes, options.checkpoint ? "--checkpoint" : resumed, samples);
    if (!taken.updates.empty()) axes.texts("hot_updates") = {taken.updates};
    return taken;
}

void announce_inputs(const Announce& announce, const RunOptions& options, const Inputs& inputs) {
    announce.train(inputs);
    if (inputs.test) announce.data("test", *inputs.test, inputs.test_report);
    if (inputs.test && !usual_test(options).starts_with("held-out"))
        announce.pairing(compare(inputs.train, *inputs.test, inputs.columns));
    announce.lines(idle_data_lines(options, inputs.train.view()));
}

[[noreturn]] void refuse_without_gpu(const std::string& what, const Gpus& gpus) {
    throw Error(Failure::kMissing, what + " cannot run", "no GPU: " + gpus.why_none,
                built_for_gpus() ? "use --device cpu --memory host, or a machine with a GPU"
                                 : "use --device cpu --memory host, or build with -D HOGWILD_CUDA=ON");
}

/// Whether every run was to take a GPU, or memory that only comes with one.
bool demands_gpu(const Axes& axes) {
    const auto none_is = [&](const char* option, const std::vector<std::string>& values, const auto& without) {
        return axes.given.contains(option) && std::ranges::none_of(values, without);
    };
    const auto on_threads = [](const std::string& name) { return !choice_named(kDeviceTraits, name).gpu; };
    const auto in_host = [](const std::string& name) { return is_host(parse_memory(name).value()); };
    return none_is("--device", axes.texts("device"), on_threads) || none_is("--memory", axes.texts("memory"), in_host);
}

/// The GPUs, if one was asked for. A demanded GPU that is not there, or that no run takes, is no run on the CPU.
Gpus gpus_for(const Axes& axes, const Product& all) {
    const auto first = std::ranges::find_if(all.plans, wants_gpu);
    const bool demanded = demands_gpu(axes);
    if (first == all.plans.end() && !demanded) return {};
    Gpus gpus = read_gpus();
    if (first == all.plans.end()) {
        const std::string what = fmt::format("a GPU for {}", fmt::join(axes.texts("scheme"), ", "));
        if (gpus.list.empty()) refuse_without_gpu(what, gpus);
        if (all.plans.empty()) check_left(all);
        say_left_out(all);
        throw Error(Failure::kUsage, what + " cannot be used",
                    with_names("only {gpu_streams}, {gpu_batches} and, of networks, {gpu_teams} have workers there"),
                    with_names("add --scheme {gpu_streams} or {gpu_batches}, or use --device cpu --memory host"));
    }
    if (gpus.list.empty()) {
        refuse_without_gpu(fmt::format("--device {} --memory {}", first->device, memory_name(*first)), gpus);
    }
    return gpus;
}

/// An explicit --plot is a demand: better to fail before the runs than after.
void check_plots(const RunOptions& options) {
    if (options.plot.value_or(false) && plot_script().empty()) {
        throw Error(Failure::kMissing, "plots cannot be drawn", "results/plot/plot.py was not found",
                    "run from an installation that has it, or add --no-plot");
    }
}

/// A file of weights holds those of one run, an image those of a cut, a file of words' vectors those of words.
void check_save(const RunOptions& options, const std::vector<Plan>& plans, const Inputs& inputs) {
    if (options.save.empty()) return;
    const auto refuse = [&](const std::string& why, const std::string& suggestion) {
        throw Error(Failure::kUsage, "--save " + options.save + " cannot keep the weights", why, suggestion);
    };
    const std::string other_ending =
        is_linear(plans[0].problem) ? "end it with .npy, .safetensors or .model" : "end it with .npy or .safetensors";
    if (holds_words(options.save) && inputs.train_report.words == nullptr) {
        refuse(fmt::format("its format holds vectors of words, which {} has none of", plans[0].problem), other_ending);
    }
    if (plans.size() > 1)
        refuse(fmt::format("there are {} runs, and one file", plans.size()), "give every axis one value");
    if (!holds_words(options.save) && is_linear_text(options.save) && !is_linear(plans[0].problem)) {
        refuse(fmt::format("liblinear's text holds linear models, and {} is none", plans[0].problem), other_ending);
    }
    if (!holds_words(options.save)) check_labels_fit(options.save, inputs.train_report);
    if (!inputs.columns.numbers.empty()) {
        require_memory(sizeof(float) * std::uint64_t{inputs.columns.all},
                       fmt::format("--save of {} weights", inputs.columns.all), "renumber the features");
    }
    if (!is_image(options.save)) return;
    if (!inputs.train.view().drawable())
        refuse(fmt::format("a model of {} is no image", plans[0].problem), other_ending);
    image_size(options.grid, inputs.train.view().groups());
}

/// Says where the weights of the run are, or why they are nowhere.
/// `run`: its folder.
void save_weights(const RunOptions& options, Session& session, const Plan& plan, const Dataset& train,
                  const Inputs& inputs, const std::filesystem::path& run) {
    const LoadReport& report = inputs.train_report;
    std::vector<float> weights = session.take_weights();
    if (weights.empty() || first_not_finite(weights) < weights.size()) {
        tell("{}: not written ({})\n", options.save,
             weights.empty() ? "the run failed" : "the run diverged: not all weights are finite");
        return;
    }
    if (holds_words(options.save)) {
        const auto dim = static_cast<std::uint32_t>(parameter(plan, "dim").value());
        save_word_vectors(options.save, *report.words, dim, weights); // inputs come first
    } else {
        Model model = trained_model(std::move(weights), plan, train, report);
        model.weights = inputs.columns.widened(std::move(model.weights));
        if (is_image(options.save)) model.image = image_size(options.grid, train.view().groups());
        save_model(options.save, model);
        const std::string lost = lost_labels_line(model, options.save);
        if (!options.quiet && !lost.empty()) tell("{}\n", lost);
    }
    note_weights(run, options.save, weights_form(options.save, options.grid, train.view().groups()));
    if (!options.quiet) tell("weights: {}\n", options.save);
}

/// Draws unless told not to or something came in between, says where; false when there are no plots.
bool draw(const RunOptions& options, Verdict& verdict, const std::filesystem::path& folder) {
    if (!options.plot.value_or(true)) return false;
    const Plots plots = verdict.interrupted   ? Plots{{}, "interrupted"}
                        : verdict.disk_failed ? Plots{{}, "not all results could be written"}
                                              : draw_plots(folder);
    if (!plots.why_not.empty()) {
        if (!options.quiet) tell("plots: not drawn ({}); try {}\n", plots.why_not, plot_command(folder));
        return false;
    }
    std::string text;
    for (const auto& file : plots.files) text += fmt::format("plot: {}\n", file.string());
    if (options.json) {
        if (!options.quiet) tell("{}", text);
    } else {
        verdict.output_failed |= !try_print(printable(text));
    }
    return true;
}

/// Writes event files where they were asked for, says where; the exit code, for where nothing else went wrong.
int export_events(const RunOptions& options, const Verdict& verdict, const std::filesystem::path& folder) {
    if (options.tensorboard.empty()) return kExitDone;
    if (verdict.interrupted || verdict.disk_failed) {
        say_no_event_files(folder, options.tensorboard,
                           verdict.interrupted ? "interrupted" : "not all results could be written");
        return kExitDone;
    }
    const int code = write_event_files(folder, options.tensorboard, options.resume);
    if (code == kExitDone && !options.quiet) tell("event files: {}\n", options.tensorboard);
    return code;
}

/// What can be said before any sample is loaded.
void check_before_loading(const RunOptions& options) {
    if (options.budget && options.tuned.empty())
        throw Error(Failure::kUsage, "--budget cannot go without --scheme auto", "nothing is tuned", "leave it out");
    check_names(options.axes);
    check_plots(options);
    if (!options.grid.empty()) parse_image_size(options.grid);
    if (!options.save.empty()) {
        check_apart("--save", options.save, input_files(options.data, options.test));
        check_apart_from_results("--save", options.save, options.output);
        check_model_file(options.save);
    }
    if (!options.tensorboard.empty()) {
        check_apart_from_results("--tensorboard", options.tensorboard, options.output);
        check_event_files(options.tensorboard, options.resume);
    }
    check_output(options);
}

/// What is run: the axes as this machine takes them, the samples, the plans, and what --hot-updates is by default.
struct Asked {
    Axes axes;
    CoreBudget cores;
    bool capped;
    Gpus gpus;
    Inputs inputs;
    HotDefault hot;
    Product all;
};

Asked asked_for(const RunOptions& options) {
    Axes axes = options.axes;
    const CoreBudget cores = core_budget();
    const bool capped = !options.oversubscribe && cap_threads(axes.counts("threads"), cores.usable);
    const HotChooser none;
    Gpus gpus = gpus_for(axes, product(axes, kManyRows, {}, &none)); // what is missing is said before a long load
    check_labels(options);
    Inputs inputs = load_inputs(options);
    HotDefault taken = take_hot_default(options, axes, inputs.train.view());
    const HotChooser hot = hot_chooser(axes, inputs.train.view());
    Product all = product_of(axes, inputs.train, hot, gpus);
    for (const Plan& plan : all.plans) {
        if (!taken.why.empty() && has_hot_choice(plan, axes)) all.hot_reasons[hash(plan)] = taken.why;
    }
    return {std::move(axes), cores, capped, std::move(gpus), std::move(inputs), std::move(taken), std::move(all)};
}

void announce_asked(const Announce& announce, const RunOptions& options, const Asked& asked) {
    const std::vector<Plan>& plans = asked.all.plans;
    announce_inputs(announce, options, asked.inputs);
    announce.lines(spelling_lines(asked.axes));
    announce.defaults(asked.axes, plans);
    if (asked.capped) announce.capped(plans, asked.cores);
    announce.oversubscription(plans, asked.cores);
    announce.without_effect(asked.axes, plans);
    announce.lines(asked.hot.updates.empty() ? lines_of(asked.all.hot_reasons, plans)
                                             : lines_of(asked.hot, asked.all.hot_reasons, plans));
    announce.long_warm_ups(plans);
    announce.whole_batches(plans, asked.inputs.train.view().rows());
}

/// What was written of the results besides their folder.
struct Delivered {
    bool drawn = false;
    int exported = kExitDone;
};

Delivered deliver(const RunOptions& options, const Announce& announce, Session& session, const Plan& first,
                  const Origin& origin, const Inputs& inputs, const std::filesystem::path& folder, Verdict& verdict) {
    Delivered delivered;
    if (!options.json) verdict.output_failed |= !try_print(printable(report(session.results())));
    const bool reached =
        std::ranges::any_of(session.results(), [](const Result& run) { return run.to_target.reached; });
    if (options.target && !reached) announce.lines({bare_number_line(*options.target, first.problem)});
    try {
        announce.lines({"results: " + folder.string()});
        if (!options.save.empty()) {
            save_weights(options, session, first, origin.train, inputs, folder / session.results().front().run);
        }
        delivered.drawn = draw(options, verdict, folder);
        delivered.exported = export_events(options, verdict, folder);
    } catch (const Error& error) { // the results are in their folder
        tell("hogwild: {}\n", error.what());
        verdict.disk_failed = true;
    }
    return delivered;
}

/// Draws and exports what was asked for of a run that had ended as `verdict` says; its exit code.
int deliver_again(const RunOptions& options, Verdict& verdict) {
    tell("{}: nothing to resume (its run has come to its end)\n", options.output);
    const bool drawn = options.plot.value_or(false) && draw(options, verdict, options.output);
    const int exported = export_events(options, verdict, options.output);
    if (verdict.exit_code() != kExitDone) return verdict.exit_code();
    return options.plot.value_or(false) && !drawn ? kExitMissing : exported;
}

} // namespace

int run_command(const RunOptions& options, const std::vector<std::string>& command) {
    Interrupt interrupt;
    check_before_loading(options);
    Asked asked = asked_for(options);
    const std::vector<Plan>& plans = asked.all.plans;
    check_save(options, plans, asked.inputs);
    check_parts(options, plans);
    if (std::optional<Verdict> ended = how_it_ended(options, plans[0], asked.inputs))
        return deliver_again(options, *ended);
    const Announce announce(!options.quiet);
    announce_asked(announce, options, asked);
    const Objectives objectives(options, plans, asked.inputs.train, asked.inputs.test.has_value());
    announce.lines(objectives.notes());
    const Provenance provenance = read_provenance();
    announce.busy(provenance.machine.load_average, asked.cores);
    const Placements placements(std::move(asked.inputs.train), std::move(asked.inputs.test), plans);
    const std::vector<std::string> whole = named(command, asked.hot, asked.axes, plans);
    Origin origin = origin_of(placements, in_short(whole), provenance, asked_text(options.target, options.optimum));
    origin.gpus = asked.gpus;
    origin.hot_reasons = asked.all.hot_reasons;
    std::vector<std::size_t> order = interleaved(plans);
    if (options.in_order) std::iota(order.begin(), order.end(), std::size_t{0});
    interrupt.arm();
    ResultsFolder folder(options.output, options.resume ? ResultsFolder::Start::kGoesOn : ResultsFolder::Start::kNew);
    keep_command(folder.path(), whole);
    std::optional<RunInParts> parts;
    if (options.checkpoint || options.resume) {
        parts.emplace(options, folder.path(), plans[0], origin);
        announce.lines(parts->notes());
    }
    Session session(options, origin, objectives, &folder, interrupt, parts ? &*parts : nullptr);
    announce.start(plans.size(), options.in_order, options.warm_up, folder.path());
    if (options.warm_up) session.warm_up(plans[order[0]]);
    session.measure(plans, order);

    Verdict verdict = session.verdict();
    if (session.results().empty()) { // interrupted during the warm-up
        if (parts && parts->before() == nullptr) parts->finish();
        folder.discard();
        tell("{}", kNothingMeasured);
        return verdict.exit_code();
    }
    const Delivered delivered =
        deliver(options, announce, session, plans[0], origin, asked.inputs, folder.path(), verdict);
    verdict.interrupted |= interrupt.requested().load(std::memory_order_relaxed);
    const bool ended = !session.verdict().interrupted && !verdict.disk_failed && !verdict.run_failed &&
                       delivered.exported == kExitDone;
    if (parts && ended) parts->finish();
    const int code = verdict.exit_code();
    if (code != kExitDone) return code;
    return options.plot.value_or(false) && !delivered.drawn ? kExitMissing : delivered.exported;
}

} // namespace hogwild
