#include "engine/data/ratings/ratings.h"

#include "engine/data/ratings/matrix_market.h"
#include "engine/error.h"
#include "engine/machine/parallel.h"
#include "engine/memory/pages.h"
#include "tests/engine/data/compress.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace hogwild {
namespace {

std::string complaint(const std::string& text, const TextLimits& limits = {}) {
    try {
        read_ratings(text, "file.txt", limits);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kError);
        return error.what();
    }
    return "accepted";
}

std::string written(const RatingsView& view) {
    std::string text = fmt::format("{}x{}", view.users, view.items);
    for (std::uint64_t i = 0; i < view.rows; ++i) {
        const Rating& rating = view.ratings[i];
        text += fmt::format(" {},{}:{}", rating.user, rating.item, rating.value);
    }
    return text;
}

/// Users x items, then every rating, 0-based.
std::string normal_form(const std::string& text, const TextLimits& limits = {}) {
    return written(read_ratings(text, "file.txt", limits).array->view());
}

TEST_CASE("a rating takes 12 bytes while it is read, and a text's pages are given back as they have been read") {
    std::string text;
    constexpr std::uint64_t kRatings = 300'000;
    for (std::uint64_t i = 0; i < kRatings; ++i) text += fmt::format("{} {} {}\n", 1 + i % 1'009, 1 + i % 97, i % 5);
    TextLimits limits;
    limits.block_bytes = 1 << 16;
    std::vector<char> read(text.size());
    limits.done = [&](std::string_view part) {
        std::fill_n(read.data() + (part.data() - text.data()), part.size(), char{1});
    };
    const std::uint64_t before = Pages::held(), of_block = limits.block_bytes / 6 * sizeof(Rating);
    Pages::watch();
    const RatingsData data = read_ratings(text, "file.txt", limits);
    REQUIRE(data.array->ratings.size() == kRatings);
    CHECK(Pages::most_held() <= before + 12 * kRatings + parallelism() * of_block); // those that are being joined
    CHECK(std::ranges::count(read, 1) == static_cast<std::ptrdiff_t>(text.size()));
}

TEST_CASE("a rarity is one over the root of how many ratings a user or an item has, 0 of none") {
    const RatingsData data = read_ratings("1 1 4\n1 2 3\n1 4 2\n1 2 1\n3 1 2\n", "file.txt");
    const RatingsView view = data.array->view();
    const auto of = [](const Rarities& rarities) {
        return std::vector<float>(rarities.of, rarities.of + rarities.count);
    };
    CHECK(of(view.user_rarities) == std::vector<float>{0.5f, 0, 1});
    CHECK(of(view.item_rarities) == std::vector<float>{1 / std::sqrt(2.0f), 1 / std::sqrt(2.0f), 0, 1});
}

TEST_CASE("ids far beyond the number of ratings take no memory, and the largest is named") {
    const std::uint64_t before = Pages::held();
    Pages::watch();
    const RatingsData far = read_ratings("1 1 3\n1000000000 2 4\n", "file.txt");
    const RatingsData from_zero = read_ratings("0 0 3\n4000000 2000000 4\n", "file.txt"),
                      near = read_ratings("1 1 3\n1000000 1 4\n", "file.txt");
    CHECK(Pages::most_held() < before + (1 << 26)); // 8 bytes for each id of the near ones
    CHECK(ids_far_apart(far.array->view()));
    CHECK(far_id(far.array->view(), far.base) ==
          "users are numbered up to 1000000000, and 2 ratings name few of them: no run takes factors of all, so number "
          "users and items one after the other");
    CHECK(far_id(from_zero.array->view(), from_zero.base).starts_with("users are numbered up to 4000000, and"));
    CHECK_FALSE(ids_far_apart(near.array->view()));
    CHECK(far_id(near.array->view(), near.base) == "");
    CHECK(near.array->user_rarities[999'999] == 1);
}

TEST_CASE("every accepted way of writing the same ratings reads the same") {
    for (const char* text : {
             "1 1 4\n2 3 -0.5\n",
             "1\t1\t4\n2\t3\t-.5\n",
             "1,1,4\n2,3,-0.5\n",
             "1, 1, 4.0\n2 ,3 ,-5e-1\n",
             "1;1;4\n2;3;-0.5\n",
             "1::1::4\n2::3::-0.5\n",
             "1::1::4::978300760\n2::3::-0.5::978302109\n", // a time behind, as MovieLens has it
             "1 1 4 881250949 x\n2 3 -0.5\n",
             "userId,movieId,rating,timestamp\n1,1,4,9\n2,3,-0.5,9\n", // a header
             "\"user\";\"item\";\"rating\"\n1;1;4\n2;3;-0.5\n",
             "\"a\",\"b\"\n1,1,4\n2,3,-0.5\n", // names that say nothing
             "1 1 4\r\n2 3 -0.5\r\n",
             "1 1 4\n2 3 -0.5", // no final newline
             "\xEF\xBB\xBF"
             "1 1 4\n2 3 -0.5\n",                  // byte order mark
             "# head\n\n1 1 4\n  \n% x\n2 3 -0.5", // comments, blank lines
             "01 001 4\n2 3 -0.5\n",
             "%%MatrixMarket matrix coordinate real general\n% made by hand\n2 3 2\n1 1 4\n2 3 -0.5\n",
             "%%matrixmarket Matrix Coordinate integer General\n\n2 3 2\n1 1 4\n2 3 -0.5\n", // in either case
             "%%MATRIXMARKET MATRIX COORDINATE REAL GENERAL\n2 3 2\n1 1 4\n2 3 -0.5\n",
         }) {
        CAPTURE(text);
        CHECK(normal_form(text) == "2x3 0,0:4 1,2:-0.5");
    }
}

TEST_CASE("columns that name themselves are taken by name, wherever they stand") {
    for (const char* text : {
             "Unnamed: 0,user_id,item_id,score\n0,1,1,4\n1,2,3,-0.5\n",
             ",user_id,item_id,score\n0,1,1,4\n1,2,3,-0.5\n",                    // as pandas writes an index
             "\"\",\"user\",\"item\",\"rating\"\n\"1\",1,1,4\n\"2\",2,3,-0.5\n", // as R does
             "movieId,userId,rating\n1,1,4\n3,2,-0.5\n",
             "user;timestamp;item;stars\n1;2001-01-01 10:00;1;4\n2;;3;-0.5\n",
             "rating,title,item,user\n4,\"a, b\",1,1\n-0.5,c,3,2\r\n",
             "# made by hand\n1,1,4\n2,3,-0.5\n",
             "\tUser ID\tItem ID\tOverall\n0\t1\t1\t4\n1\t2\t3\t-0.5\n",
             "item user rating\n1 1 4\n3  2 -0.5 \n",
             "Rating::UserID::MovieID\n4::1::1\n-0.5::2::3\n",
             "user,item,rating,timestamp\r\n1,1,4,9\r\n2,3,-0.5,9\r\n",
             "user,item,plays\n1,1,4\n2,3,-0.5\n", // the others by place
             "# item user rating\n1 1 4\n3 2 -0.5\n",
             "%rating,user_id,movie_id\n4,1,1\n-0.5,2,3\n",           // in a comment
             "# made by hand\n# item user rating\n1 1 4\n3 2 -0.5\n", // beyond the first line
             "\n# x\n\n%rating,user_id,movie_id\n4,1,1\n-0.5,2,3\n",
             "#,user,item,rating\n0,1,1,4\n1,2,3,-0.5\n", // an index that is called so
             "# user item rating\n1,1,4,9\n2,3,-0.5,9\n",
             "# the rating of an item by a user\n1 1 4\n2 3 -0.5\n",
             "item:token,user:token,rating:float\n1,1,4\n3,2,-0.5\n", // with types
             "item_code,user_code,my_rating\n1,1,4\n3,2,-0.5\n",      // by a word
             "item_no,user_no,rating_value\n1,1,4\n3,2,-0.5\n",
             "movie title,user name,rating given\n1,1,4\n3,2,-0.5\n",
             "ratingGiven;itemCode;userCode\n4;1;1\n-0.5;3;2\n",
             "item_code,user_code,my_rating,rating_date\n1,1,4,9\n3,2,-0.5,9\n",
             "movie title,user_id,user_name,rating\n1,1,7,4\n3,2,7,-0.5\n", // a name of a column that is known
             "# item_code,user_code,my_rating\n1,1,4\n3,2,-0.5\n",
         }) {
        CAPTURE(text);
        CHECK(normal_form(text) == "2x3 0,0:4 1,2:-0.5");
        TextLimits small;
        small.block_bytes = 8;
        CHECK(normal_form(text, small) == "2x3 0,0:4 1,2:-0.5");
    }
}

TEST_CASE("a header that leaves open which columns to take is refused, and so are lines that do not fit it") {
    const std::string open = ": the header does not say which columns to take (";
    CHECK(complaint("id,user,thing,rating\n1,1,1,4\n")
              .starts_with("file.txt:1:4" + open + "the user is column 2, and not all"));
    CHECK(complaint("user,timestamp,thing,rating\n1,9,1,4\n").starts_with("file.txt:1:22" + open));
    CHECK(complaint("user,age,thing,mark\n1,9,1,4\n").starts_with("file.txt:1:16" + open + "column 4 may be one of"));
    CHECK(complaint("user,timestamp,mark\n1,9,4\n")
              .starts_with("file.txt:1:6" + open + "column 2 is not known to be the item"));
    CHECK(complaint("item_code,who,my_rating\n1,1,4\n").starts_with("file.txt:1:1" + open + "the item is column 1"));
    CHECK(complaint("user_code,item_rating,mark\n1,1,4\n")
              .starts_with("file.txt:1:11" + open + "column 2 may be the item or the rating"));
    CHECK(complaint("user_code,user_name,my_rating\n1,1,4\n")
              .starts_with("file.txt:1:11" + open + "columns 1 and 2 are both a user"));
    CHECK(complaint("user_id,title,item_category,rating\n1,1,1,4\n")
              .starts_with("file.txt:1:9" + open + "column 2 may be one of those that are known by a word alone"));
    CHECK(complaint("a,b,c,d\n0,1,1,4\n").starts_with("file.txt:1:7" + open + "column 4 may be one of those"));
    CHECK(complaint("%movie,user,rating\n1,1,4,9\n").starts_with("file.txt:2:1: the line has 4 fields (its header"));
    CHECK(complaint("\"\",\"user\"\n1,1,4\n").starts_with("file.txt:1:4" + open));
    CHECK(complaint("user,item,rating,score\n1,1,4,4\n")
              .starts_with("file.txt:1:18" + open + "columns 3 and 4 are both a rating"));
    CHECK(complaint("user,item,rating\n# x\n1,1,1,4\n") ==
          "file.txt:3:1: the line has 4 fields (its header names 3); name every column, or remove the header");
    CHECK(complaint("item,user,rating\n1,1,4\n1,2\n") ==
          "file.txt:3:4: the line has 2 fields (its header names 3 or more); complete the line, or remove it");
    CHECK(complaint("item,user,rating\n1,x,4\n").starts_with("file.txt:2:3: user 'x' is no id ("));
    CHECK(complaint("item,user,rating\n1,1,good\n").starts_with("file.txt:2:5: rating 'good' is no number ("));
}

TEST_CASE("a header of names that say nothing is said") {
    const auto note = [](const std::string& text) { return read_ratings(text, "file.txt").note; };
    for (const char* names : {"a,b,c", "a,b,c,timestamp", "\"a\",\"b\""}) {
        CHECK(note(std::string(names) + "\n1,1,4\n2,3,-0.5\n") ==
              "the header '" + std::string(names) +
                  "' names no user, item or rating that is known: the first three columns are taken, in this order");
    }
    CHECK(note("user,item,rating\n1,1,4\n").empty());
    CHECK(note("1,1,4\n").empty());
}

TEST_CASE("what looks like a banner is one or an error, and a size line without one is said") {
    for (const char* banner :
         {"%MatrixMarket matrix coordinate real general", "% %MatrixMarket matrix coordinate real general",
          "%%Matrix Market matrix coordinate real general", "# MatrixMarket", "%% matrix coordinate integer general",
          "MatrixMarket matrix coordinate real general",
          "# made by hand\n%%MatrixMarket matrix coordinate real general"}) {
        CAPTURE(banner);
        CHECK(complaint(std::string(banner) + "\n2 3 2\n1 1 4\n2 3 -0.5\n")
                  .find("this looks like the banner of a Matrix Market file and is none (") != std::string::npos);
    }
    CHECK(normal_form("% ratings of a matrix\n1 1 4\n2 3 -0.5\n") == "2x3 0,0:4 1,2:-0.5");
    const auto note = [](const std::string& text) {
        const RatingsData data = read_ratings(text, "file.txt");
        return size_line_note(data.array->ratings.span());
    };
    CHECK(note("2 3 3\n1 1 4\n2 3 -0.5\n2 2 1\n")
              .starts_with("the first rating, 3, is by the last user and of the last item, and as many"));
    CHECK(note("2 3 4\n1 1 4\n2 3 -0.5\n2 2 1\n").empty());
    CHECK(note("1 3 3\n1 1 4\n2 3 -0.5\n2 2 1\n").empty());
}

TEST_CASE("each column of ids starts at 0 where it has a 0, else at 1") {
    CHECK(normal_form("0 1 1\n3 2 1\n") == "4x2 0,0:1 3,1:1");
    CHECK(normal_form("1 0 1\n3 2 1\n") == "3x3 0,0:1 2,2:1");
    CHECK(normal_form("2 5 1\n") == "2x5 1,4:1"); // nobody of number 1 rated, and is kept
}

TEST_CASE("a test set's ids start where the training set's do, and its mean is the training set's") {
    const RatingsData train = read_ratings("0 1 2\n1 2 4\n", "train", {});
    CHECK(train.base.user == 0);
    CHECK(train.base.item == 1);
    CHECK(train.array->view().model.mean == 3);
    const RatingsData test = read_ratings("1 1 9\n", "test", {}, &train.base);
    CHECK(written(test.array->view()) == "2x1 1,0:9");
    CHECK(test.array->view().model.mean == 3);
    const RatingsBase from_one{1, 1, 0};
    CHECK_THROWS_WITH_AS(read_ratings("0 1 9\n", "test", {}, &from_one),
                         "test:1:1: user '0' is none (the training set's start at 1); renumber them", Error);
}

TEST_CASE("a pair may be rated twice: every line is a sample") {
    CHECK(normal_form("1 1 4\n1 1 2\n1 1 4\n") == "1x1 0,0:4 0,0:2 0,0:4");
}

TEST_CASE("the mean is that of all ratings, in double") {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "1 1 16777216\n1 1 1\n"; // a sum in float would lose the ones
    CHECK(read_ratings(text, "f", {}).array->view().model.mean == static_cast<float>(16777217.0 / 2));
}

TEST_CASE("ratings that are wrong are refused at their line and column, with a reason and a way out") {
    const auto check = [](const std::string& text, const std::string& expected) {
        CAPTURE(text);
        CHECK(complaint(text) == expected);
        // The same fault behind a hundred good lines, cut into many blocks.
        std::string before;
        for (int i = 0; i < 100; ++i) before += "1 1 1\n";
        TextLimits small;
        small.block_bytes = 32;
        CHECK(complaint(before + text, small) == "file.txt:101" + expected.substr(std::string("file.txt:1").size()));
    };
    check("1 1 nan\n", "file.txt:1:5: rating 'nan' (a rating is a finite number); remove or repair the line");
    check("1 1 -inf\n", "file.txt:1:5: rating '-inf' (a rating is a finite number); remove or repair the line");
    check("1 1 1e60\n", "file.txt:1:5: rating '1e60' (larger than the largest float, 3.4e38); rescale the ratings");
    check("1 1 good\n",
          "file.txt:1:5: rating 'good' is no number (a rating is a decimal number such as 3.5); repair the line");
    check(
        "1 1\n",
        "file.txt:1:4: the line ends behind its item (a line is 'user item rating'); complete the line, or remove it");
    check(
        "1,\n",
        "file.txt:1:3: the line ends behind its user (a line is 'user item rating'); complete the line, or remove it");
    check("1;2;3,5\n",
          "file.txt:1:5: a comma behind rating '3' (the line's fields are not separated by commas); write a "
          "decimal point, as in 3.5");
    check("1 -2 3\n", "file.txt:1:3: negative item '-2' (ids start at 0 or 1); renumber them");
    check("4294967295 2 3\n",
          "file.txt:1:1: user '4294967295' is too large (the largest is 4294967294); number users and "
          "items one after the other");
    check(
        "1 99999999999999999999999 3\n",
        "file.txt:1:3: item '99999999999999999999999' is too large (the largest is 4294967294); number users and items "
        "one after the other");
    check("1 1.5 3\n", "file.txt:1:3: item '1.5' is no id (a line is 'user item rating', the first two whole numbers); "
                       "repair the line, or put '#' before a comment");
    const std::string separated =
        " (fields are separated by a blank, a tab, a comma, a semicolon or '::'); repair the line";
    check("1:1:4\n", "file.txt:1:2: the item is missing" + separated);
    check("1::1:4\n", "file.txt:1:5: the rating is missing" + separated);
    check("1,,4\n", "file.txt:1:3: the item is missing" + separated);
    check(",1,4\n", "file.txt:1:1: the user is missing" + separated);
    const std::string unquoted = " is in quotes (only a header may have them); remove the quotes";
    check("\"1\",\"1\",\"4\"\n", "file.txt:1:1: user '\"1\"'" + unquoted);
    check("1,'2',4\n", "file.txt:1:3: item ''2''" + unquoted);
    check("1,2,\"4\"\n", "file.txt:1:5: rating '\"4\"'" + unquoted);
    check(
        std::string("1 \x01\x02 3\n"),
        "file.txt:1:3: item '\\x01\\x02' is no id (it looks like no text, and not like gzip, bzip2, xz or zstd); copy "
        "the file again, or repair the line");
}

TEST_CASE("a letter of any language is a slip in a text, a byte that is no character a file that is none") {
    CHECK(complaint("1 2 3\n1 caf\xC3\xA9 4\n") == "file.txt:2:3: item 'caf\\xc3\\xa9' is no id (a line is 'user item "
                                                   "rating', the first two whole numbers); repair "
                                                   "the line, or put '#' before a comment");
    for (const char* other : {"caf\xE9", "\xC3", "\x7F"})
        CHECK(complaint("1 2 3\n1 " + std::string(other) + " 4\n").find("it looks like no text") != std::string::npos);
}

TEST_CASE("a rating far outside the others' is named, one that is merely the largest is not") {
    std::vector<Rating> ratings;
    for (std::uint32_t i = 0; i < 1'000; ++i) ratings.push_back({i, i, static_cast<float>(i % 5)});
    CHECK(outlier(ratings) == "");
    ratings[500].value = 60;
    CHECK(outlier(ratings) == "");
    ratings[500].value = 99;
    CHECK(outlier(ratings) ==
          "rating 99 is far from the others, of which nine tenths lie between 0 and 4: if it is a slip, remove it");
    ratings[7].value = -1e30f;
    CHECK(outlier(ratings).starts_with("rating -1"));
    CHECK(outlier(std::vector<Rating>(100, Rating{1, 1, 3})) == "");
}

TEST_CASE("users and items together are no more than a number of 32 bits counts") {
    CHECK(complaint("0 0 1\n4294967294 1 1\n") == "file.txt has 4294967295 users and 2 items (4294967295 together are "
                                                  "the most); number users and items one after the other");
    CHECK(complaint("1 1 1\n4294967293 1 1\n") == "accepted");
}

TEST_CASE("a file without a rating is refused") {
    for (const char* text : {"", "\n\n", "# nothing\n", "user item rating\n"}) {
        CAPTURE(text);
        CHECK(complaint(text) ==
              "file.txt holds no rating (it is empty, or comments only); check that it is the file you mean");
    }
}

TEST_CASE("a Matrix Market file holds what its head says, or is refused") {
    const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
    CHECK(normal_form(banner + "5 4 1\n2 3 1\n") == "5x4 1,2:1");
    CHECK(complaint(banner + "5 4 2\n2 3 1\n") ==
          "file.txt has 1 entries (its size line says 2); check that the file is complete");
    CHECK(
        complaint(banner + "5 4 2\n5 4 1\n6 3 1\n") ==
        "file.txt:4:1: user '6' is none (the size line says 5 rows and 4 columns); repair the size line, or the entry");
    CHECK(complaint(banner + "5 4 1\n3  5 1\n").starts_with("file.txt:3:4: item '5' is none (the size line says"));
    CHECK(complaint(banner + "5 4 1\n0 3 1\n") ==
          "file.txt:3:1: user '0' is none (ids of a matrix start at 1); renumber them");
    CHECK(complaint(banner + "5 4 1\n3 0 1\n").starts_with("file.txt:3:3: item '0' is none (ids of a matrix"));
    CHECK(complaint(banner + "4294967295 1 1\n1 1 1\n") ==
          "file.txt has 4294967295 users and 1 items (4294967295 together are the most); number users and items one "
          "after the other");
    CHECK(
        complaint(banner + "18446744073709551615 1 1\n1 1 1\n").starts_with("file.txt has 18446744073709551615 users"));
    CHECK(complaint(banner + "five 4 1\n1 3 1\n").starts_with("file.txt:2:1: this is no size line ("));
    CHECK(complaint(banner).starts_with("file.txt has no size line ("));
    CHECK(complaint(banner + "5 4 1 7\n1 3 1\n").starts_with("file.txt:2:1: this is no size line ("));
    CHECK(complaint(banner + "5 4 2\n1 3 1 7\n") ==
          "file.txt:3:1: the line has 4 fields (entries of a matrix are 'row column value'); repair the line");
    for (const std::size_t block : {8u, 1u << 20}) { // an end without a newline lies apart from what is before it
        TextLimits limits;
        limits.block_bytes = block;
        CHECK(complaint(banner + "% comment", limits).starts_with("file.txt has no size line ("));
        CHECK(complaint(banner + "5 4 1", limits).starts_with("file.txt holds no rating ("));
        CHECK(normal_form(banner + "% comment\n\n5 4 1\n2 3 1", limits) == "5x4 1,2:1");
    }
    for (const char* other : {"matrix array real general", "matrix coordinate pattern general",
                              "matrix coordinate complex general", "matrix coordinate real symmetric",
                              "vector coordinate real general", "matrix coordinate real general symmetric"}) {
        CAPTURE(other);
        CHECK(complaint("%%MatrixMarket " + std::string(other) + "\n1 1 1\n1 1 1\n")
                  .starts_with("file.txt:1:1: this Matrix Market file holds no ratings ("));
    }
}

TEST_CASE("ratings are the same whatever the blocks, the threads and the compression") {
    std::string text = "user,item,rating\n";
    for (int i = 0; i < 5000; ++i) text += fmt::format("{},{},{}\n", i * 7 % 611, i * 13 % 97 + 1, 0.5 * (i % 10));
    const std::string expected = normal_form(text);
    const unsigned before = parallelism();
    for (const unsigned threads : {1u, 2u, 8u}) {
        set_parallelism(threads);
        for (const std::size_t block : {16u, 100u, 1u << 20}) {
            TextLimits limits;
            limits.block_bytes = block;
            CHECK(normal_form(text, limits) == expected);
            for (const Format& format : formats()) CHECK(normal_form(format.pack(text), limits) == expected);
        }
    }
    set_parallelism(before);
}

TEST_CASE("a truncated file of ratings is an error at every length, never half of them") {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += fmt::format("{} {} {}\n", i * 7 % 611, i * 13 % 97 + 1, 0.5 * (i % 10));
    const std::string stored = gzip(text);
    for (const std::size_t kept : {stored.size() - 1, stored.size() - 4, stored.size() / 2, std::size_t{20}}) {
        CHECK(complaint(stored.substr(0, kept)) ==
              "file.txt: cannot decompress gzip data (the file ends early); download or copy it again");
    }
}

TEST_CASE("ratings that pass the limits are refused") {
    TextLimits limits;
    limits.max_array_bytes = 100;
    std::string text;
    for (int i = 0; i < 100; ++i) text += "1 1 1\n";
    CHECK(complaint(text, limits).starts_with("file.txt"));
    limits = {};
    limits.max_line_bytes = 50;
    CHECK(complaint("1 1 1 " + std::string(100, 'x') + "\n", limits).find("line") != std::string::npos);
}

} // namespace
} // namespace hogwild
