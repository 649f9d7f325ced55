#include "experiments/inputs/pairing.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <initializer_list>

namespace hogwild {
namespace {

/// Of samples with one entry each, so many in each column.
GroupCounts counts(std::initializer_list<int> in_columns) {
    TestSamples samples;
    samples.columns = static_cast<std::uint32_t>(in_columns.size());
    std::uint32_t column = 0;
    for (const int count : in_columns) {
        for (int i = 0; i < count; ++i) samples.add(1, {column}, {1});
        ++column;
    }
    return GroupCounts(samples.view());
}

bool says(const Pairing& pairing, const char* part) { return pairing.text.find(part) != std::string::npos; }

TEST_CASE("nothing is said of sets that share most of what they hold") {
    CHECK(compare(counts({5, 3, 2}), counts({2, 1, 0})).text == "");
    CHECK(compare(counts({5, 0, 2}), counts({2, 1, 1})).text == ""); // a rare word that training lacks
    CHECK(compare(counts({}), counts({})).text == "");
    CHECK(compare(counts({1, 1}), counts({0, 0})).text != ""); // a test set without nonzeros tests nothing
}

TEST_CASE("columns behind the training set's last are said, and are grave when they hold most of the test set") {
    const Pairing few = compare(counts({50, 50, 0}), counts({50, 49, 1})),
                  many = compare(counts({9, 0, 0, 0}), counts({1, 1, 1, 1}));
    CHECK(says(few, "columns of the test set go up to 3, of the training set up to 2"));
    CHECK(says(few, " 1 % of the test set's nonzeros"));
    CHECK_FALSE(few.grave);
    CHECK(says(many, "columns of the test set go up to 4, of the training set up to 1"));
    CHECK(says(many, " 75 % of the test set's nonzeros"));
    CHECK(many.grave);
}

TEST_CASE("sets that share little are grave, whichever has more columns") {
    const GroupCounts left = counts({4, 4, 0, 0, 0}), right = counts({0, 1, 1, 1, 0}), last = counts({0, 0, 0, 0, 9});
    CHECK(compare(right, left).grave == false);
    CHECK(compare(counts({1, 0, 0, 0, 9}), left).grave); // half of the test set, a tenth of the training set
    CHECK(says(compare(counts({1, 0, 0, 0, 9}), left), "10 % of the training set's"));
    CHECK(says(compare(last, right), "100 % of the test set's"));
    CHECK(compare(last, right).grave);
}

} // namespace
} // namespace hogwild
