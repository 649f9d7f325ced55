#include "engine/data/load.h"
#include "engine/data/sparse/write_libsvm.h"
#include "engine/error.h"
#include "tests/engine/data/samples.h"
#include "tests/engine/data/scratch.h"
#include "tests/test_data.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>

namespace hogwild {
namespace {

LoadOptions uncached() {
    LoadOptions options;
    options.use_cache = false;
    return options;
}

std::pair<Failure, std::string> failure_of(const std::string& name, const LoadOptions& options = uncached()) {
    try {
        load(name, options);
    } catch (const Error& error) {
        return {error.failure(), error.what()};
    }
    return {Failure::kError, "loaded"};
}

std::string text_of(const Dataset& dataset) { return libsvm_text(dataset.sparse(), 0, dataset.sparse().rows); }

TEST_CASE("a pair of files of ratings has one size, one first id and the training set's mean") {
    const ScratchFiles scratch;
    const std::string train = scratch.path("train.txt"), test = scratch.path("test.txt");
    std::ofstream(train) << "0 1 2\n3 2 4\n";
    std::ofstream(test) << "1 5 9\n";
    LoadOptions options = uncached();
    options.samples = RatingsView::kSamples;
    const TrainTest pair = load_pair(train, test, options);
    for (const Dataset& data : {pair.train, pair.test}) {
        const auto view = data.view().as<RatingsView>();
        CHECK(view.users == 4);
        CHECK(view.items == 5);
        CHECK(view.model.mean == 3);
    }
    CHECK(pair.test.view().as<RatingsView>().ratings[0].user == 1); // users start at 0, items at 1
    CHECK(pair.test.view().as<RatingsView>().ratings[0].item == 4);
    CHECK(failure_of("synthetic:rcv1/100", options)
              .second.starts_with("synthetic:rcv1/100 holds sparse rows (read as ratings: unknown part 'rcv1/100' of "
                                  "synthetic ratings); "));
}

TEST_CASE("a rating that looks like a slip costs a note of its file, in a training set and in a test set") {
    const ScratchFiles scratch;
    std::string text;
    for (int i = 0; i < 100; ++i) text += "1 1 " + std::to_string(i % 5) + "\n";
    const std::string good = scratch.write("good.txt", text), slip = scratch.write("slip.txt", text + "1 1 5000\n");
    LoadOptions options = uncached();
    options.samples = RatingsView::kSamples;
    const std::string note = "rating 5000 is far from the others, of which nine tenths lie between 0 and 4: if it is a "
                             "slip, remove it";
    LoadReport train, test;
    load_pair(good, slip, options, &train, &test);
    CHECK(train.note == "");
    CHECK(test.note == note);
    load_pair(slip, good, options, &train, &test);
    CHECK(train.note == note);
    CHECK(test.note == "");
}

TEST_CASE(
    "a folder of images is no file of rows, and how to read it is said; of any other folder only that it is one") {
    for (const std::string name :
         {"train-images-idx3-ubyte.gz", "t10k-images.idx3-ubyte", "data_batch_1.bin", "test_batch.bin"}) {
        ScratchFiles scratch;
        scratch.write(name, "x");
        const std::string folder = scratch.path("");
        CHECK(failure_of(folder) ==
              std::pair(Failure::kUsage, folder + " has no sparse rows (images lie in it); read them "
                                                  "with --problem network, or name a file of what you want"));
        LoadOptions ratings = uncached();
        ratings.samples = RatingsView::kSamples;
        CHECK(failure_of(folder, ratings).second.starts_with(folder + " has no ratings (images lie in it); "));
    }
    CHECK(failure_of("synthetic:images/10")
              .second.starts_with("synthetic:images/10 has no sparse rows (images lie in "
                                  "it); read them with --problem network"));
    ScratchFiles scratch;
    scratch.write("train.svm", "+1 1:1\n");
    CHECK(failure_of(scratch.path("")).second.ends_with("(it is a folder); name a file inside it"));
}

TEST_CASE("a second load maps the cache and gives the same samples, also under another name") {
    const ScratchFiles scratch;
    const std::string text = "2 1:0.5 3:2\n1 2:1\n";
    const std::string file = scratch.write("a.svm", text);
    LoadOptions options;
    options.cache_directory = scratch.path("cache");
    LoadReport report;
    const Dataset first = load(file, options, &report);
    CHECK_FALSE(report.from_cache);
    CHECK(report.note == "");
    CHECK(report.text_bytes == text.size());
    CHECK(text_of(first) == "+1 1:0.5 3:2\n-1 2:1\n");
    for (const bool huge_pages : {true, false}) {
        options.huge_pages = huge_pages;
        const Dataset second = load(file, options, &report);
        CHECK(report.from_cache);
        CHECK(difference(first.sparse(), second.sparse()) == "");
        CHECK(second.sparse().columns == 3);
        CHECK(second.content_hash() == first.content_hash());
        CHECK(report.classes == std::vector<double>{1, 2});
    }
    load(scratch.write("b.svm", text), options, &report);
    CHECK(report.from_cache); // by content
    options.keep_labels = true;
    CHECK(text_of(load(file, options, &report)) == "2 1:0.5 3:2\n+1 2:1\n"); // labels are cached as they stand
    CHECK(report.from_cache);
    options.keep_labels = false;
    options.positive_class = 1;
    CHECK(text_of(load(file, options, &report)) == "-1 1:0.5 3:2\n+1 2:1\n");
    CHECK(report.from_cache);
}

TEST_CASE("changed content is never answered from the cache") {
    const ScratchFiles scratch;
    LoadOptions options;
    options.cache_directory = scratch.path("cache");
    LoadReport report;
    for (int i = 1; i <= 20; ++i) { // the same size, within one tick of the clock
        const std::string entry = std::to_string(10 + i) + ":1\n";
        const Dataset data = load(scratch.write("a.svm", "1 " + entry), options, &report);
        CHECK(text_of(data) == "+1 " + entry);
        CHECK_FALSE(report.from_cache);
    }
    for (const auto& entry : std::filesystem::directory_iterator(options.cache_directory)) {
        CHECK(entry.path().extension() == ".arrays"); // no stamp of so fresh a file is trusted
    }
}

TEST_CASE("a cache that cannot be written, or is damaged, costs a note and not the load") {
    const ScratchFiles scratch;
    const std::string file = scratch.write("a.svm", "1 1:1\n-1 2:1\n");
    LoadOptions options;
    options.cache_directory = scratch.write("occupied", "") + "/cache";
    LoadReport report;
    CHECK(text_of(load(file, options, &report)) == "+1 1:1\n-1 2:1\n");
    CHECK(report.note == "no cache: cannot create " + options.cache_directory +
                             " (Not a directory); name a folder that may be written");
    options.cache_directory = scratch.path("cache");
    load(file, options, &report);
    CHECK(report.note == "");
    for (const auto& entry : std::filesystem::directory_iterator(options.cache_directory)) {
        std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry) - 1);
    }
    CHECK(text_of(load(file, options, &report)) == "+1 1:1\n-1 2:1\n");
    CHECK_FALSE(report.from_cache);
    CHECK(report.note.ends_with(".arrays is ignored: it is truncated"));
    load(file, options, &report);
    CHECK(report.from_cache); // rebuilt
    CHECK(report.note == "");
}

TEST_CASE("a pair takes the larger dimension and the labels of its training set") {
    const ScratchFiles scratch;
    const std::string train = scratch.write("train", "1 1:1\n2 5:1\n");
    const std::string test = scratch.write("test", "1 2:1\n");
    LoadOptions options = uncached();
    const TrainTest pair = load_pair(train, test, options);
    CHECK(pair.train.view().coordinates() == 5);
    CHECK(pair.test.view().coordinates() == 5);
    CHECK(text_of(pair.test) == "-1 2:1\n"); // alone, a single 1 would be positive
    const std::string wider = scratch.write("wider", "2 7:1\n");
    CHECK(load_pair(train, wider, options).train.view().coordinates() == 7);

    const std::string stranger = scratch.write("stranger", "3 1:1\n1 1:1\n");
    CHECK_THROWS_WITH_AS(load_pair(train, stranger, options),
                         (stranger + " has a class 3 that the training set lacks (its meaning is unknown); "
                                     "choose the positive class, or use a matching pair of files")
                             .c_str(),
                         Error);
    options.positive_class = 2;
    CHECK(text_of(load_pair(train, stranger, options).test) == "-1 1:1\n-1 1:1\n");
    options.positive_class.reset();
    const std::string signs = scratch.write("signs", "1 1:1\n-1 1:1\n");
    const std::string bits = scratch.write("bits", "1 1:1\n0 1:1\n");
    CHECK(text_of(load_pair(bits, signs, options).test) == "+1 1:1\n-1 1:1\n");
    CHECK(text_of(load_pair(signs, bits, options).test) == "+1 1:1\n-1 1:1\n");
}

TEST_CASE("a synthetic pair shares its planted model and no row") {
    LoadOptions options = uncached();
    const std::string name = "synthetic:rows=400,features=200,nonzeros=8";
    const TrainTest pair = load_pair(name, name + ",held-out", options);
    CHECK(pair.train.view().rows() == 400);
    CHECK(pair.test.view().rows() == 40);
    CHECK(difference(load(name + ",held-out", options).sparse(), pair.test.sparse()) == "");
}

TEST_CASE("the real files have their published shapes") {
    struct Shape {
        const char* name;
        std::uint64_t rows;
        std::uint32_t columns;
        std::uint64_t nonzeros;
    };
    for (const Shape& shape : {Shape{"heart_scale", 270, 13, 3378},
                               {"german_scale.txt", 1000, 24, 0},
                               {"agaricus.txt.train", 6513, 126, 143286},
                               {"a9a", 32561, 123, 451592},
                               {"rcv1_train_1249.svm", 1249, 0, 97251},
                               {"kdd99_corrected_test.svm.xz", 311029, 121, 0}}) {
        const auto file = test_data(std::string("sparse/") + shape.name);
        if (!file) continue;
        const Dataset data = load(*file, uncached());
        CAPTURE(shape.name);
        CHECK(data.view().rows() == shape.rows);
        if (shape.columns != 0) CHECK(data.view().coordinates() == shape.columns);
        if (shape.nonzeros != 0) CHECK(data.view().nonzeros() == shape.nonzeros);
        CHECK(broken_promise(data.sparse()) == "");
        for (std::uint64_t i = 0; i < data.view().rows(); ++i) {
            if (std::abs(data.sparse().labels[i]) != 1) FAIL("label " << data.sparse().labels[i]);
        }
    }
}

} // namespace
} // namespace hogwild
