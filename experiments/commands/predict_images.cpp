#include "experiments/commands/predict_images.h"

#include "engine/called.h"
#include "engine/data/load.h"
#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/plan.h"
#include "engine/record/image_predictions.h"
#include "engine/run.h"
#include "experiments/files/durable.h"
#include "experiments/inputs/data_folder.h"
#include "experiments/inputs/idle_data.h"
#include "experiments/model/prediction_lines.h"
#include "experiments/model/trained_model.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/json.h"
#include "experiments/text/printable.h"
#include "experiments/text/tell.h"
#include "kernels/problems/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <span>

namespace hogwild {
namespace {

void check_says_layers(const Model& model, const std::string& file) {
    if (model.network.empty()) {
        throw Error(Failure::kUsage, file + " cannot predict images", "it does not say the layers of its network",
                    fmt::format("save it with {} run --save FILE.safetensors, which does", called()));
    }
    if (model.labels < 2 || model.labels > ImagesView::kMostClasses)
        refuse_model(file, fmt::format("it tells {} classes apart", model.labels), "save it again");
}

/// Why the network cannot look at such images; empty: it can.
std::string why_not(const Model& model, const ImagesView& images) {
    const std::string shape = shape_name(images.shape);
    if (shape != model.images) return fmt::format("it takes images of {}, and these are {}", model.images, shape);
    if (images.classes > model.labels)
        return fmt::format("it tells {} classes apart, and these have {}", model.labels, images.classes);
    return "";
}

/// The images with the model's network. Errors: Error for weights that are not as many as the network's.
ImagesView with_network(const Model& model, const Dataset& data, const std::string& file) {
    ImagesView classes;
    classes.classes = model.labels;
    const Dataset images = data.widened(classes);
    Plan plan;
    plan.problem = Network::name;
    plan.network.layers = model.network;
    const AnyView view = bound(images.view(), plan);
    if (view.coordinates() != model.weights.size()) {
        refuse_model(
            file,
            fmt::format("it holds {} weights, and {} has {}", model.weights.size(), model.network, view.coordinates()),
            "save it again");
    }
    return view.as<ImagesView>();
}

void write_classes(const std::string& file, const ImagePredictions& all) {
    write_prediction_lines(file, all.classes.size(), [&](std::uint64_t i) { return std::to_string(all.classes[i]); });
}

void write_scores(const std::string& file, const ImagePredictions& all, std::uint32_t classes) {
    write_prediction_lines(file, all.classes.size(), [&](std::uint64_t i) {
        std::vector<std::string> words;
        for (const float score : std::span(all.scores).subspan(i * classes, classes))
            words.push_back(fmt::format("{}", score));
        return fmt::format("{}", fmt::join(words, " "));
    });
}

} // namespace

int predict_images(const Model& model, const PredictOptions& options) {
    check_says_layers(model, options.model);
    LoadOptions load_options = options.data.load_options();
    load_options.samples = ImagesView::kSamples;
    const Dataset data = load(data_path(options.data.name), load_options);
    for (const std::string& line : idle_label_lines(options.data, data.view())) tell("{}\n", line);
    if (const std::string why = why_not(model, data.view().as<ImagesView>()); !why.empty()) {
        throw Error(Failure::kUsage, fmt::format("{} cannot predict {}", options.model, options.data.name), why,
                    "name images like those that it was trained on");
    }
    const ImagesView images = with_network(model, data, options.model);
    const ImagePredictions all = image_predictions(images, model.weights);
    if (!options.output.empty() && options.margins) write_scores(options.output, all, images.classes);
    if (!options.output.empty() && !options.margins) write_classes(options.output, all);

    const double accuracy = static_cast<double>(all.right) / static_cast<double>(images.rows);
    if (options.json) {
        print(json_text({{"model", options.model},
                         {"data", data.name()},
                         {"samples", images.rows},
                         {"classes", images.classes},
                         {"right", all.right},
                         {"accuracy", accuracy},
                         {"problem", Network::name},
                         {"loss", all.mean_loss}}) +
              '\n');
        return kExitDone;
    }
    print(printable(fmt::format("{}: {} images\n  accuracy {:.4g} % ({} of {})\n  mean {} loss {:.6g}\n", data.name(),
                                grouped(images.rows), 100 * accuracy, grouped(all.right), grouped(images.rows),
                                Network::name, all.mean_loss)));
    return kExitDone;
}

} // namespace hogwild
