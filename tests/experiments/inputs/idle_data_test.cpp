#include "experiments/inputs/idle_data.h"

#include "tests/experiments/program.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hogwild;

namespace {

RunOptions everything(const std::string& data, const std::string& save) {
    RunOptions options;
    options.data.name = data;
    options.data.positive_class = 3;
    options.data.real_labels = true;
    options.data.min_count = 3;
    options.data.similarity = {"pairs"};
    options.data.analogies = "questions";
    options.save = save;
    options.grid = "28x28";
    return options;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

} // namespace

TEST_CASE("an option about data of another kind than there are has a note, with the reason") {
    const std::string images = joined(idle_data_lines(everything("mnist", "w.npy"), ImagesView{}));
    for (const char* option : {"--positive-class", "--real-labels"})
        CHECK(holds(images, std::string("note: ") + option +
                                " has no effect (it is for sparse rows, and the samples are images)\n"));
    for (const char* option : {"--min-count", "--similarity", "--analogies"})
        CHECK(holds(images,
                    std::string("note: ") + option + " has no effect (it is for text, and the samples are images)\n"));
    CHECK(holds(images, "note: --grid has no effect (only --save FILE.pgm writes an image)\n"));
    CHECK(joined(idle_label_lines(everything("mnist", "").data, ImagesView{})) ==
          images.substr(0, images.find("note: --min-count")));
}

TEST_CASE("an option about data that means something has no note") {
    RunOptions rows = everything("train.svm", "");
    CHECK(idle_label_lines(rows.data, SparseView{}) ==
          std::vector<std::string>{"note: --positive-class has no effect (--real-labels keeps labels as they are)"});
    rows.data.real_labels = false;
    CHECK(idle_label_lines(rows.data, SparseView{}).empty());
    rows.data.name = "synthetic:rcv1";
    CHECK(idle_label_lines(rows.data, SparseView{}) ==
          std::vector<std::string>{
              "note: --positive-class has no effect (generated samples have the classes -1 and +1)"});
    CHECK_FALSE(holds(joined(idle_data_lines(everything("text8", ""), TokensView{})), "--min-count"));
    CHECK_FALSE(holds(joined(idle_data_lines(everything("image.max", "cut.pgm"), EdgesView{})), "--grid"));
    CHECK(idle_data_lines({}, ImagesView{}).empty()); // what was not asked for
}

TEST_CASE("a run on images says which of these have no effect") {
    const Scratch scratch;
    const Finished done =
        run_tiny(scratch.path,
                 {"--problem", "network", "--scheme", "serial", "--network", "dense 10", "--no-warm-up",
                  "--real-labels", "--positive-class", "3", "--min-count", "3", "--grid", "28x28"},
                 "synthetic:tiny");
    CHECK(done.code == 0);
    for (const char* option : {"--real-labels", "--positive-class", "--min-count", "--grid"})
        CHECK(holds(done.error, std::string("note: ") + option + " has no effect ("));
}
