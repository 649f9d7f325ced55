#include "engine/data/synthetic/synthetic_images.h"

#include "engine/data/images/image_statistics.h"
#include "engine/data/load.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"
#include "engine/machine/parallel.h"
#include "kernels/numbers/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

std::string bytes_of(const ImagesArrays& arrays) {
    return std::string(reinterpret_cast<const char*>(arrays.pixels.data()), arrays.pixels.size())
        .append(reinterpret_cast<const char*>(arrays.labels.data()), arrays.labels.size());
}

ImagesRecipe parsed(const std::string& recipe) { return parse_synthetic_images("synthetic:" + recipe, 1); }

std::string images_refusal(const std::string& recipe) {
    try {
        parsed(recipe);
        return "accepted";
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kUsage);
        return error.what();
    }
}

/// Softmax regression (hidden = 0), or a network of one hidden layer with ReLU, by plain SGD; zeros cost nothing.
class Learner {
public:
    Learner(std::uint32_t inputs, std::uint32_t hidden, std::uint32_t classes)
        : hidden_(hidden),
          classes_(classes),
          first_(std::size_t{inputs + 1} * hidden),
          last_((hidden == 0 ? inputs : hidden) + 1, std::vector<float>(classes)) {
        std::uint32_t i = 0;
        const float reach = 2 / std::sqrt(static_cast<float>(inputs));
        for (float& weight : first_) weight = reach * (unit_float(philox({i++, 0, 0, 0}, {7, 7})[0]) - 0.5f);
    }

    std::uint32_t predict(const LabelledImage& image, std::uint32_t inputs) {
        look(image, inputs);
        return static_cast<std::uint32_t>(std::ranges::max_element(scores_) - scores_.begin());
    }

    void step(const LabelledImage& image, std::uint32_t inputs, float size) {
        look(image, inputs);
        const float most = *std::ranges::max_element(scores_);
        float sum = 0;
        for (float& score : scores_) sum += score = std::exp(score - most);
        for (std::uint32_t c = 0; c < classes_; ++c) scores_[c] = scores_[c] / sum - (c == image.label ? 1.0f : 0.0f);
        std::vector<float> error(last_.size());
        for (const auto& [k, value] : seen_) {
            for (std::uint32_t c = 0; c < classes_; ++c) {
                error[k] += last_[k][c] * scores_[c];
                last_[k][c] -= size * scores_[c] * value;
            }
        }
        for (const auto& [k, value] : lit_) {
            for (std::uint32_t h = 0; h < hidden_; ++h) {
                if (active_[h] > 0) first_[k * hidden_ + h] -= size * error[h] * value;
            }
        }
    }

private:
    struct Entry {
        std::uint32_t k;
        float value;
    };

    void look(const LabelledImage& image, std::uint32_t inputs) {
        lit_.clear();
        for (std::uint32_t k = 0; k < inputs; ++k) {
            if (image.pixels[k] > 0) lit_.push_back({k, static_cast<float>(image.pixels[k]) / 255});
        }
        lit_.push_back({inputs, 1});
        seen_ = lit_;
        if (hidden_ > 0) {
            active_.assign(hidden_, 0);
            for (const auto& [k, value] : lit_) {
                for (std::uint32_t h = 0; h < hidden_; ++h) active_[h] += first_[k * hidden_ + h] * value;
            }
            seen_.clear();
            for (std::uint32_t h = 0; h < hidden_; ++h) seen_.push_back({h, std::max(active_[h], 0.0f)});
            seen_.push_back({hidden_, 1});
        }
        scores_.assign(classes_, 0);
        for (const auto& [k, value] : seen_) {
            for (std::uint32_t c = 0; c < classes_; ++c) scores_[c] += last_[k][c] * value;
        }
    }

    std::uint32_t hidden_, classes_;
    std::vector<float> first_; // by input
    std::vector<std::vector<float>> last_;
    std::vector<float> scores_, active_;
    std::vector<Entry> lit_, seen_;
};

/// The accuracy on the test set, after some epochs.
double accuracy(std::uint32_t hidden, const ImagesView& train, const ImagesView& test, float size) {
    const std::uint32_t inputs = train.shape.size();
    Learner learner(inputs, hidden, train.classes);
    for (int epoch = 0; epoch < 4; ++epoch) {
        for (std::uint64_t i = 0; i < train.rows; ++i) learner.step(train.row(i), inputs, size);
    }
    std::uint64_t right = 0;
    for (std::uint64_t i = 0; i < test.rows; ++i) right += learner.predict(test.row(i), inputs) == test.row(i).label;
    return static_cast<double>(right) / static_cast<double>(test.rows);
}

} // namespace

TEST_CASE("generated images are the same bits for a seed, at any number of threads, others for another") { // oracle 15
    const ImagesRecipe recipe = parsed("images,rows=1000,height=20,width=24,channels=3");
    const std::string once = bytes_of(*generate(recipe));
    CHECK(content_hash(once) == 11827548503763719305u); // and on any machine
    const unsigned before = parallelism();
    set_parallelism(1);
    CHECK(bytes_of(*generate(recipe)) == once);
    set_parallelism(before);
    for (const char* change : {"24,seed=2", "24,noise=0.2", "24,classes=9", "25", "24,held-out"}) {
        CAPTURE(change);
        const auto other =
            bytes_of(*generate(parsed("images,rows=1000,height=20,channels=3,width=" + std::string(change))));
        CHECK(other.substr(0, 100'000) != once.substr(0, 100'000));
    }
}

TEST_CASE("images are dark for four fifths, and every class is there as often as any other") {
    for (const char* name : {"images/60", "images/60,channels=3,height=32,width=32"}) {
        CAPTURE(name);
        const auto arrays = generate(parsed(name));
        const ImageStatistics facts = describe(arrays->view());
        CHECK(facts.zero_share > 0.75);
        CHECK(facts.zero_share < 0.87);
        CHECK(facts.images == std::vector<std::uint64_t>(10, 100));
    }
    const auto clean = generate(parsed("images/60,noise=0"));
    CHECK(describe(clean->view()).zero_share > describe(generate(parsed("images/60"))->view()).zero_share);
    const auto all = generate(parsed("rows=256,classes=256"));
    CHECK(describe(all->view()).images == std::vector<std::uint64_t>(256, 1));
}

TEST_CASE("a network of one hidden layer learns generated images, a linear model does not learn them so well" *
          doctest::test_suite("not under ThreadSanitizer")) {
    const auto train = generate(parsed("images,rows=4000")), test = generate(parsed("images,rows=4000,held-out"));
    CHECK(test->labels.size() == 400);
    const double network = accuracy(48, train->view(), test->view(), 0.03f),
                 linear = accuracy(0, train->view(), test->view(), 0.03f);
    CAPTURE(network);
    CAPTURE(linear);
    CHECK(network > 0.95);
    CHECK(linear < network - 0.05);
}

TEST_CASE("recipes of images are read, presets divided, and written in full") {
    CHECK(to_string(parsed("images")) == "rows=60000,height=28,width=28,channels=1,classes=10,noise=0.3,seed=1");
    CHECK(to_string(parsed("images/7,seed=3,held-out")) ==
          "rows=8572,height=28,width=28,channels=1,classes=10,noise=0.3,seed=3,held-out");
    CHECK(to_string(parsed("rows=50,height=8,width=9,channels=2,classes=3,noise=0")) ==
          "rows=50,height=8,width=9,channels=2,classes=3,noise=0,seed=1");
    CHECK(parsed("tiny").rows == 400);
    CHECK(generate(parsed("rows=101,held-out"))->labels.size() == 11);
}

TEST_CASE("recipes of images are refused with what is known") {
    CHECK(images_refusal("users=3") ==
          "unknown part 'users=3' of synthetic images (known: images, images/N, tiny, rows=, height=, width=, "
          "channels=, classes=, noise=, seed=, held-out); try synthetic:images/10 or "
          "synthetic:images,rows=10000,height=32,width=32,channels=3");
    CHECK(images_refusal("").starts_with("'synthetic:' names no images "));
    CHECK(images_refusal("rcv1").starts_with("unknown part 'rcv1' "));
    CHECK(images_refusal("images/0").starts_with("'images/0' divides by zero "));
    CHECK(images_refusal("height=0").starts_with("height=0 is out of range "));
    CHECK(images_refusal("classes=257").starts_with("classes=257 is out of range "));
    CHECK(images_refusal("classes=1").starts_with("classes=1 is out of range "));
    CHECK(images_refusal("rows=0").starts_with("rows=0 is out of range "));
    CHECK(images_refusal("rows=9") ==
          "synthetic:rows=9 holds too few images (9 of 10 classes, each of which has one); ask for "
          "more, as synthetic:images/10 does");
    CHECK(images_refusal("images/100000").starts_with("synthetic:images/100000 holds too few images (1 of 10 "));
    CHECK(images_refusal("noise=nan").starts_with("noise=nan is out of range "));
    CHECK(images_refusal("images,width=many").starts_with("'width=many' is no number "));
    try {
        generate(parsed("rows=4000000000,height=1024,width=1024,channels=16"));
        FAIL("generated");
    } catch (const Error& error) {
        CHECK(std::string(error.what()).starts_with("images of 62500003.7 GiB do not fit ("));
    }
}

TEST_CASE("a generated pair has the same signs and no image in common") {
    LoadOptions options;
    options.samples = ImagesView::kSamples;
    const std::string name = "synthetic:images,rows=500";
    const TrainTest pair = load_pair(name, own_test(name, options.samples), options);
    CHECK(pair.train.view().rows() == 500);
    CHECK(pair.test.view().rows() == 50);
    CHECK(pair.train.content_hash() != pair.test.content_hash());
    const auto &train = pair.train.view().as<ImagesView>(), &test = pair.test.view().as<ImagesView>();
    CHECK_FALSE(std::equal(test.labels, test.labels + test.rows, train.labels)); // in an order of their own
    const std::size_t size = train.shape.size();
    std::set<std::string> images;
    for (const ImagesView& view : {train, test}) {
        for (std::uint64_t i = 0; i < view.rows; ++i)
            images.emplace(reinterpret_cast<const char*>(view.row(i).pixels), size);
    }
    CHECK(images.size() == 550);
    CHECK(load("synthetic:images,rows=500,seed=1", options).content_hash() == pair.train.content_hash());
}
