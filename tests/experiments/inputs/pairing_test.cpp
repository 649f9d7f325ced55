#include "experiments/inputs/pairing.h"

#include <doctest/doctest.h>

namespace hogwild {
namespace {

using Counts = std::vector<std::uint64_t>;

bool holds(const Pairing& pairing, const char* part) { return pairing.text.find(part) != std::string::npos; }

TEST_CASE("nothing is said of sets that share most of what they hold") {
    CHECK(compare(Counts{5, 3, 2}, Counts{2, 1, 0}).text == "");
    CHECK(compare(Counts{5, 0, 2}, Counts{2, 1, 1}).text == ""); // a rare word that training lacks
    CHECK(compare(Counts{}, Counts{}).text == "");
    CHECK(compare(Counts{1, 1}, Counts{0, 0}).text != ""); // a test set without nonzeros tests nothing
}

TEST_CASE("columns behind the training set's last are said, and are grave when they hold most of the test set") {
    const Pairing few = compare(Counts{50, 50, 0}, Counts{50, 49, 1}),
                  many = compare(Counts{9, 0, 0, 0}, Counts{1, 1, 1, 1});
    CHECK(holds(few, "columns of the test set go up to 3, of the training set up to 2"));
    CHECK(holds(few, " 1 % of the test set's nonzeros"));
    CHECK_FALSE(few.grave);
    CHECK(holds(many, "columns of the test set go up to 4, of the training set up to 1"));
    CHECK(holds(many, " 75 % of the test set's nonzeros"));
    CHECK(many.grave);
}

TEST_CASE("sets that share little are grave, whichever has more columns") {
    const Counts left{4, 4, 0, 0, 0}, right{0, 1, 1, 1, 0}, last{0, 0, 0, 0, 9};
    CHECK(compare(right, left).grave == false);
    CHECK(compare(Counts{1, 0, 0, 0, 9}, left).grave); // half of the test set, a tenth of the training set
    CHECK(holds(compare(Counts{1, 0, 0, 0, 9}, left), "10 % of the training set's"));
    CHECK(holds(compare(last, right), "100 % of the test set's"));
    CHECK(compare(last, right).grave);
}

} // namespace
} // namespace hogwild
