#include "experiments/commands/command_predict.h"

#include "engine/data/columns/narrow.h"
#include "engine/data/files/named_file.h"
#include "engine/data/load.h"
#include "engine/data/sparse/labels.h"
#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/names.h"
#include "engine/plan/problem_traits.h"
#include "engine/record/evaluate.h"
#include "engine/record/margins.h"
#include "experiments/commands/predict_images.h"
#include "experiments/files/durable.h"
#include "experiments/files/output_not_input.h"
#include "experiments/inputs/data_folder.h"
#include "experiments/inputs/input_files.h"
#include "experiments/model/model.h"
#include "experiments/model/model_labels.h"
#include "experiments/model/prediction_lines.h"
#include "experiments/options/command_line.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/json.h"
#include "experiments/text/printable.h"
#include "experiments/text/tell.h"
#include "kernels/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hogwild {
namespace {

constexpr const char* kReadArray = "numpy.load(file)";
constexpr const char* kReadTensor =
    "numpy.fromfile(file, '<f4', offset=8 + int.from_bytes(open(file, 'rb').read(8), 'little'))";

bool predicts(const std::string& problem) { return is_linear(problem) || problem_traits(problem).takes_network; }

void check_problem(const std::string& problem, const std::string& file) {
    if (problem.empty()) return;
    check_name("problem", problem);
    if (predicts(problem)) return;
    throw Error(Failure::kUsage, "a model of " + problem + " is not for hogwild predict",
                fmt::format("it predicts by margins, of {}, and images, of {}",
                            fmt::join(catalog::names<LinearProblems>, ", "), Network::name),
                fmt::format("read the weights with {}", file.ends_with(".safetensors") ? kReadTensor : kReadArray));
}

/// Whether images are to be predicted. Errors: usage where the command says otherwise than the file.
bool is_network(const Model& model, const PredictOptions& options) {
    const std::string& problem = model.problem.empty() ? options.problem : model.problem;
    if (problem.empty()) return false;
    if (!options.problem.empty() &&
        problem_traits(options.problem).takes_network != problem_traits(problem).takes_network) {
        throw Error(Failure::kUsage, fmt::format("{} is no model of {}", options.model, options.problem),
                    "it says that it is one of " + problem, "leave out --problem");
    }
    return problem_traits(problem).takes_network;
}

/// As liblinear: a feature that the model lacks has weight 0.
void match_columns(Model& model, Dataset& data) {
    const std::uint64_t of_model = model.weights.size(), of_data = data.view().coordinates();
    if (of_data > of_model) {
        tell("note: the data have {} columns, the model {}: the weight of the others is 0\n", grouped(of_data),
             grouped(of_model));
    }
    if (of_data < of_model && model.problem.empty()) {
        tell("note: the model has {} weights, the data {} columns: the others have no part, if these are a "
             "linear model's "
             "at all, which the file does not say\n",
             grouped(of_model), grouped(of_data));
    }
    data = data.widened(SparseView{.columns = static_cast<std::uint32_t>(of_model)});
    const FileColumns columns = narrow(data, nullptr);
    model.weights = columns.narrowed(std::move(model.weights));
    model.weights.resize(data.view().coordinates());
}

void check_output(const PredictOptions& options) {
    if (options.output.empty()) return;
    std::vector<std::string> inputs = input_files(options.data);
    inputs.push_back(options.model);
    check_apart("-o", options.output, inputs);
    check_named_file(options.output);
}

void write_margins(const std::string& file, const std::vector<double>& margins) {
    write_prediction_lines(file, margins.size(), [&](std::uint64_t i) { return exact(margins[i]); });
}

void write_classes(const std::string& file, const std::vector<double>& margins, const ClassLabels& labels) {
    const std::string positive = label_text(labels.positive), negative = label_text(labels.negative);
    write_prediction_lines(file, margins.size(), [&](std::uint64_t i) { return margins[i] > 0 ? positive : negative; });
}

/// The classes of the samples' file, which are said where the model's file does not say them.
ClassLabels labels_of(const Model& model, const PredictOptions& options, const LoadReport& report) {
    const std::optional<double>& typed = options.data.positive_class;
    const ClassLabels labels = class_labels(model, options.model, report, options.data.name, typed);
    const std::string line = class_labels_line(model, options.model, report, labels, typed);
    if (!line.empty()) tell("{}\n", line);
    return labels;
}

} // namespace

void add_predict_options(CommandLine& app, PredictOptions& options) {
    app.about("Predict samples with a model that hogwild run --save, NumPy or liblinear has written.");
    app.footer("Examples:\n"
               "  hogwild run --data train.svm --scheme hogwild --save weights.npy\n"
               "  hogwild predict --model weights.npy --data test.svm -o predictions.txt\n"
               "  hogwild run --problem network --data mnist --scheme hogwild --save lenet.safetensors\n"
               "  hogwild predict --model lenet.safetensors --data mnist/t10k-images-idx3-ubyte.gz -o classes.txt\n"
               "A margin above 0 predicts the positive class. Features that the model lacks have weight 0. A network\n"
               "predicts the class of its largest score, the first of equals.");
    app.option("--model", options.model, "Weights: .npy, .safetensors, or .model (liblinear's text)")
        .shown_as("FILE")
        .required();
    app.option("--data", options.data.name, "Samples: LIBSVM text, of networks images; a fetched set or synthetic:...")
        .shown_as("PATH|NAME|synthetic:...")
        .required();
    app.option("--problem", options.problem, "Whose loss is said (default: the one that the model's file names)")
        .shown_as(fmt::format("{}|{}", fmt::join(catalog::names<LinearProblems>, "|"), Network::name));
    app.option("-o,--output", options.output, "A line for each sample: its predicted label")
        .shown_as("FILE")
        .in("Output");
    app.flag("--margins", options.margins,
             "Write margins (with real labels: predictions; of networks the scores of all classes) in place of labels")
        .in("Output");
    app.flag("--json", options.json, "One JSON object instead of text").in("Output");
    add_label_options(app, options.data);
    add_cache_options(app, options.data);
}

int predict_command(const PredictOptions& options) {
    check_problem(options.problem, options.model);
    check_output(options);
    Model model = load_model(options.model);
    check_problem(model.problem, options.model);
    if (is_network(model, options)) return predict_images(model, options);
    const std::uint64_t model_columns = model.weights.size();
    LoadReport report;
    Dataset data = load(data_path(options.data.name), load_for(model, options.data.load_options()), &report);
    const bool real = !report.positive_class.has_value();
    const ClassLabels labels = real ? ClassLabels{} : labels_of(model, options, report);
    const std::uint64_t rows = data.view().rows(), data_columns = data.view().coordinates();
    match_columns(model, data);

    const std::string problem = !options.problem.empty() ? options.problem : real ? "squared" : model.problem;
    const float* const weights = model.weights.data();
    const Losses losses = evaluate(problem.empty() ? "hinge" : problem, data.view(), {&weights, 1})[0];
    const auto right = static_cast<std::uint64_t>(std::llround((1 - losses.scores[0]) * static_cast<double>(rows)));
    if (!options.output.empty()) {
        const std::vector<double> all = margins(data.sparse(), model.weights);
        options.margins || real ? write_margins(options.output, all) : write_classes(options.output, all, labels);
    }
    if (options.json) {
        Json json{{"model", options.model},
                  {"data", data.name()},
                  {"samples", rows},
                  {"columns", data_columns},
                  {"model_columns", model_columns}};
        if (!real) json["right"] = right, json["accuracy"] = 1 - losses.scores[0];
        if (!problem.empty()) json["problem"] = problem, json["loss"] = losses.mean_loss;
        print(json_text(json) + '\n');
        return kExitDone;
    }
    std::string text = fmt::format("{}: {} samples\n", data.name(), grouped(rows));
    if (!real)
        text += fmt::format("  accuracy {:.4g} % ({} of {})\n", 100 * (1 - losses.scores[0]), grouped(right),
                            grouped(rows));
    if (!problem.empty()) text += fmt::format("  mean {} loss {:.6g}\n", problem, losses.mean_loss);
    print(printable(text));
    return kExitDone;
}

} // namespace hogwild
