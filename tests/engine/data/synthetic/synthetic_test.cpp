#include "engine/data/statistics.h"
#include "engine/data/synthetic/planted_model.h"
#include "engine/data/synthetic/synthetic.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"
#include "engine/machine/parallel.h"
#include "tests/engine/data/samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace hogwild {
namespace {

Dataset make(const std::string& spec, std::uint64_t seed = 1) {
    return generate(parse_synthetic("synthetic:" + spec, seed), "synthetic:" + spec);
}

std::uint64_t bits_of(const Dataset& data) {
    const SparseView view = data.sparse();
    const std::uint64_t parts[] = {
        content_hash(view.offsets, 8 * (view.rows + 1)), content_hash(view.indices, 4 * view.nonzeros()),
        content_hash(view.values, 4 * view.nonzeros()), content_hash(view.labels, 4 * view.rows)};
    return content_hash(parts, sizeof parts);
}

std::string refusal(const std::string& spec) {
    try {
        parse_synthetic("synthetic:" + spec, 1);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kUsage);
        return error.what();
    }
    return "accepted";
}

TEST_CASE("a recipe gives the same bits at any number of threads") {
    const unsigned threads = parallelism();
    set_parallelism(1);
    const Dataset one = make("rows=5000,features=3000,nonzeros=20,spread=0.7");
    set_parallelism(4);
    const Dataset four = make("rows=5000,features=3000,nonzeros=20,spread=0.7");
    set_parallelism(threads);
    CHECK(difference(one.sparse(), four.sparse()) == "");
    CHECK(one.content_hash() == four.content_hash());
}

TEST_CASE("a recipe gives the same bits on every machine and compiler") {
    CHECK(bits_of(make("rows=2000,features=500,nonzeros=12,zipf=1.1,spread=0.5")) == 7822220404829742357U);
    CHECK(bits_of(make("rcv1/1000")) == 10492462058037154201U);
}

TEST_CASE("every part of the recipe changes the bits and the content hash") {
    const std::string sizes = "rows=300", base = sizes + ",features=100,nonzeros=7";
    const Dataset plain = make(base);
    for (const char* change : {",zipf=1.2", ",noise=0.5", ",spread=0.3", ",seed=2", ",order=frequency", ",held-out"}) {
        const Dataset other = make(base + change);
        CAPTURE(change);
        CHECK(bits_of(other) != bits_of(plain));
        CHECK(other.content_hash() != plain.content_hash());
    }
    for (const char* change : {",features=101,nonzeros=7", ",features=100,nonzeros=8"}) {
        const Dataset other = make(sizes + change);
        CAPTURE(change);
        CHECK(bits_of(other) != bits_of(plain));
        CHECK(other.content_hash() != plain.content_hash());
    }
    CHECK(bits_of(make(base, 2)) == bits_of(make(base + ",seed=2")));
}

TEST_CASE("the first rows do not depend on how many follow") {
    const Dataset few = make("rows=100,features=200,nonzeros=9");
    const Dataset many = make("rows=1000,features=200,nonzeros=9");
    SparseView front = many.sparse();
    front.rows = 100;
    CHECK(difference(few.sparse(), front) == "");
}

TEST_CASE("rows keep the promises of a view, unit norm and the dialled lengths") {
    for (const char* spec : {"rows=2000,features=1000,nonzeros=20", "rows=2000,features=50,nonzeros=30,spread=1",
                             "rows=100,features=10,nonzeros=10,zipf=3", "rows=50,features=1,nonzeros=1",
                             "rows=1,features=7,nonzeros=2.5", "rows=3000,features=5000,nonzeros=12.5,zipf=0"}) {
        const Dataset data = make(spec);
        CAPTURE(spec);
        CHECK(broken_promise(data.sparse()) == "");
        const Statistics statistics = describe(data.sparse());
        // Each rounded value errs by at most 2^-24 of itself.
        CHECK(std::abs(statistics.row_norms.min - 1) < 0x1p-23);
        CHECK(std::abs(statistics.row_norms.max - 1) < 0x1p-23);
        CHECK(statistics.row_nonzeros.min >= 1);
    }
    CHECK(describe(make("rows=2000,features=1000,nonzeros=20").sparse()).row_nonzeros.min == 20);
    CHECK(describe(make("rows=2000,features=1000,nonzeros=20").sparse()).omega == 20);
    // 3000 lengths of 12 or 13: the mean has a standard deviation of 0.5 / sqrt(3000) = 0.009.
    CHECK(std::abs(describe(make("rows=3000,features=5000,nonzeros=12.5,zipf=0").sparse()).row_nonzeros.mean - 12.5) <
          0.06);
}

TEST_CASE("labels follow the planted weights but for the noise") {
    for (const double noise : {0.0, 0.1, 1.0}) {
        const SyntheticRecipe recipe =
            parse_synthetic("synthetic:rows=20000,features=300,nonzeros=10,noise=" + std::to_string(noise), 5);
        const Dataset data = generate(recipe, "s");
        const std::vector<float> weights = PlantedModel(recipe).weights();
        REQUIRE(weights.size() == 300);
        std::uint64_t flipped = 0;
        for (std::uint64_t i = 0; i < data.view().rows(); ++i) {
            const SparseRow row = data.sparse().row(i);
            double margin = 0;
            for (std::uint32_t k = 0; k < row.size; ++k)
                margin += static_cast<double>(row.value[k]) * static_cast<double>(weights[row.index[k]]);
            flipped += (margin >= 0) == (row.label > 0) ? 0 : 1;
        }
        // Six standard deviations of a binomial share.
        CHECK(std::abs(static_cast<double>(flipped) / 20000 - noise) <= 6 * std::sqrt(noise * (1 - noise) / 20000));
    }
}

TEST_CASE("held-out rows are other rows with the same planted weights") {
    const SyntheticRecipe recipe = parse_synthetic("synthetic:rows=1001,features=300,nonzeros=10", 1);
    SyntheticRecipe held_out = recipe;
    held_out.held_out = true;
    CHECK(PlantedModel(recipe).weights() == PlantedModel(held_out).weights());
    const Dataset train = generate(recipe, "s");
    const Dataset test = generate(held_out, "s");
    CHECK(test.view().rows() == 101);
    for (std::uint64_t i = 0; i < test.view().rows(); ++i) {
        for (std::uint64_t j = 0; j < train.view().rows(); ++j) {
            const SparseRow a = test.sparse().row(i), b = train.sparse().row(j);
            if (a.size == b.size && std::equal(a.index, a.index + a.size, b.index))
                FAIL("row " << i << " is training row " << j);
        }
    }
}

TEST_CASE("popularity falls as the Zipf exponent says, by id when ordered by frequency") {
    const Dataset data = make("rows=40000,features=1000,nonzeros=1,zipf=1,order=frequency");
    const std::vector<std::uint64_t> counts = group_counts(data.view());
    double harmonic = 0;
    for (int rank = 1; rank <= 1000; ++rank) harmonic += 1.0 / rank;
    for (const std::uint32_t rank : {0U, 1U, 4U, 19U}) { // six standard deviations
        const double share = 1 / (harmonic * (rank + 1.0));
        CHECK(std::abs(static_cast<double>(counts[rank]) / 40000 - share) <=
              6 * std::sqrt(share * (1 - share) / 40000));
    }
    const std::vector<std::uint64_t> shuffled = group_counts(make("rows=40000,features=1000,nonzeros=1,zipf=1").view());
    CHECK(std::is_permutation(counts.begin(), counts.end(), shuffled.begin()));
    CHECK(counts != shuffled);
}

TEST_CASE("rcv1 has the published shape: its rows, features, nonzeros, and a word in nearly every row") {
    const SyntheticRecipe recipe = parse_synthetic("synthetic:rcv1", 1);
    CHECK(recipe.rows == 781265);
    CHECK(recipe.features == 47236);
    CHECK(parse_synthetic("synthetic:rcv1/10", 1).rows == 78127);
    const Statistics statistics = describe(make("rcv1/50").sparse());
    CHECK(statistics.columns == 47236);
    CHECK(std::abs(statistics.row_nonzeros.mean - 76) < 2);
    CHECK(statistics.delta > 0.95);
    CHECK(statistics.positive_share > 0.3);
    CHECK(statistics.positive_share < 0.7);
}

TEST_CASE("a malformed name lists what is known") {
    CHECK(
        refusal("") ==
        "'synthetic:' names no dataset (known: rcv1, rcv1/N, tiny, rows=, features=, nonzeros=, zipf=, noise=, "
        "spread=, "
        "seed=, "
        "order=shuffled|frequency, held-out); try synthetic:rcv1/10 or synthetic:rows=10000,features=2000,nonzeros=20, "
        "or name the --problem that other samples are for");
    CHECK(refusal("rcv2").starts_with("unknown part 'rcv2' of a synthetic dataset (known: "));
    CHECK(refusal("row=3").starts_with("unknown part 'row=3' "));
    CHECK(refusal("order=random").starts_with("unknown part 'order=random' "));
    CHECK(refusal("rows=10,rcv1").starts_with("unknown part 'rcv1' "));
    CHECK(refusal("rows=many").starts_with("'rows=many' is no number "));
    CHECK(refusal("rows=99999999999999999999").starts_with("'rows=99999999999999999999' is out of range (it is above"));
    CHECK(refusal("zipf=1e400").starts_with("'zipf=1e400' is out of range (it is beyond the largest number"));
    CHECK(refusal("zipf=1e-400").starts_with("'zipf=1e-400' is out of range (it is closer to 0"));
    CHECK(refusal("rows=100,features=9,rows=50") ==
          "'rows' stands twice in a synthetic dataset (as 'rows=100' and as 'rows=50'); leave one out");
    CHECK(refusal("rows=-1").starts_with("'rows=-1' is no number "));
    CHECK(refusal("rcv1/x").starts_with("'rcv1/N=x' is no number "));
    CHECK(refusal("rcv1/").starts_with("'rcv1/N=' is no number "));
    CHECK(refusal("rcv1/0").starts_with("'rcv1/0' divides by zero "));
    CHECK(refusal("rows=0").starts_with("rows=0 is out of range "));
    CHECK(refusal("features=10,nonzeros=11") == "nonzeros=11 is out of range (it lies between 1 and 10); change it");
    CHECK(refusal("zipf=nan").starts_with("zipf=nan is out of range "));
    CHECK(refusal("noise=1.5").starts_with("noise=1.5 is out of range "));
    CHECK(refusal("rcv1,zipf=1.2,noise=0") == "accepted");
}

TEST_CASE("a dataset larger than the memory is refused before it is begun") {
    CHECK_THROWS_AS(make("rows=4000000000,features=1000000,nonzeros=1000"), Error);
}

} // namespace
} // namespace hogwild
