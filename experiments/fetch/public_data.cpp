#include "experiments/fetch/public_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace hogwild {
namespace {

constexpr std::string_view kLibsvm = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary";
constexpr std::string_view kMovieLens = "https://files.grouplens.org/datasets/movielens";

constexpr std::string_view kLibsvmTerms =
    "LIBSVM's page of data sets names the source of each and states no licence: its source's terms hold";
constexpr std::string_view kMovieLensTerms = "GroupLens: for research; acknowledge it; not to be redistributed, nor "
                                             "used commercially, without permission (README)";
constexpr std::string_view kNewMovieLensTerms = "GroupLens: for research, under the conditions of its README";

// Sums: epfml/pax, pax/tasks/datasets/libsvm.py. Sizes of the first and of news20's:
// zhenweilin/PDCS_fork, benchmark/libsvm_lasso/download_default_datasets.sh.
constexpr PublicFile kRcv1[] = {{"rcv1_train.binary.bz2", 13'730'096, "", "1aeda848408e621468c0fe6944d9382f"},
                                {"rcv1_test.binary.bz2", 0, "", "d6e3ab397758fb5c036d9cced52aedae"}};
constexpr PublicFile kNews20[] = {{"news20.binary.bz2", 26'779'006, ""}};
// udellgroup/rlaopt, in its list of data sets.
constexpr PublicFile kRealSim[] = {
    {"real-sim.bz2", 0, "7cd52374f55ce62e803ef33ca1c44689427c23d481eff64026f8ba9f53b8cc27"}};
// epfml/pax, as rcv1's.
constexpr PublicFile kCovtype[] = {{"covtype.libsvm.binary.scale.bz2", 0, "", "d95f45e15c284005c2c7a4c82e4be102"}};
// openopt/copt, copt/datasets.py.
constexpr PublicFile kUrl[] = {{"url_combined.bz2", 0, "", "83673b8f4224c81968af2fb6022ee487"}};
constexpr PublicFile kWebspamUnigram[] = {{"webspam_wc_normalized_unigram.svm.xz", 0, ""}};
constexpr PublicFile kWebspamTrigram[] = {{"webspam_wc_normalized_trigram.svm.xz", 0, ""}};
constexpr PublicFile kKdda[] = {{"kdda.bz2", 0, ""}, {"kdda.t.bz2", 0, ""}};

constexpr PublicFile kMl100k[] = {
    {"ml-100k.zip", 4'924'029, "50d2a982c66986937beb9ffb3aa76efe955bf3d5c6b761f4e3a7cd717c6a3229"}};
constexpr PublicFile kMl1m[] = {
    {"ml-1m.zip", 5'917'549, "a6898adb50b9ca05aa231689da44c217cb524e7ebd39d264c56e2832f2c54e20"}};
// GroupLens states the MD5, ce571fd5..., of the file that several projects check by this sum.
constexpr PublicFile kMl10m[] = {
    {"ml-10m.zip", 65'566'137, "813c411ccb6122564edfe752e7f80c4dcc5aa25fa94c93622f6877a7ba252862"}};
constexpr PublicFile kMl20m[] = {
    {"ml-20m.zip", 198'702'078, "96f243c338a8665f6bcc89c53edf6ee39162a846940de6b7c8c48aeada765ff3"}};
constexpr PublicFile kMl25m[] = {
    {"ml-25m.zip", 261'978'986, "8b21cfb7eb1706b4ec0aac894368d90acf26ebdfb6aced3ebd4ad5bd1eb9c6aa"}};

constexpr PublicFile kMnist[] = {
    {"train-images-idx3-ubyte.gz", 9'912'422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
    {"train-labels-idx1-ubyte.gz", 28'881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
    {"t10k-images-idx3-ubyte.gz", 1'648'877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
    {"t10k-labels-idx1-ubyte.gz", 4'542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"}};
constexpr PublicFile kCifar10[] = {
    {"cifar-10-binary.tar.gz", 170'052'171, "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"}};
// Its size: TensorFlow's tutorial of word2vec; its sum: several projects check it alike.
constexpr PublicFile kText8[] = {
    {"text8.zip", 31'344'016, "a6640522afe85d1963ad56c05b0ede0a0c000dddc9671758a6cc09b7a38e5232"}};

constexpr PublicSet kSets[] = {
    {"rcv1", "", "20,242 train, 677,399 test x 47,236", kLibsvm, kLibsvmTerms, PublicForm::kFile, kRcv1},
    {"news20.binary", "news20", "19,996 x 1,355,191", kLibsvm, kLibsvmTerms, PublicForm::kFile, kNews20},
    {"real-sim", "", "72,309 x 20,958", kLibsvm, kLibsvmTerms, PublicForm::kFile, kRealSim},
    {"covtype.binary", "covtype", "581,012 x 54, scaled", kLibsvm, kLibsvmTerms, PublicForm::kFile, kCovtype},
    {"url", "", "2,396,130 x 3,231,961", kLibsvm, kLibsvmTerms, PublicForm::kFile, kUrl},
    {"webspam-unigram", "webspam", "350,000 x 254", kLibsvm, kLibsvmTerms, PublicForm::kFile, kWebspamUnigram},
    {"webspam-trigram", "webspam", "350,000 x 16,609,143", kLibsvm, kLibsvmTerms, PublicForm::kFile, kWebspamTrigram},
    {"kdda", "", "8,407,752 train, 510,302 test x 20,216,830", kLibsvm, kLibsvmTerms, PublicForm::kFile, kKdda},
    {"ml-100k", "movielens", "100,000 ratings, 943 users x 1,682 films", kMovieLens, kMovieLensTerms,
     PublicForm::kUnread, kMl100k},
    {"ml-1m", "movielens", "1,000,209 ratings, 6,040 users x about 3,900 films", kMovieLens, kMovieLensTerms,
     PublicForm::kUnread, kMl1m},
    {"ml-10m", "movielens", "10,000,054 ratings, 71,567 users x 10,681 films", kMovieLens, kMovieLensTerms,
     PublicForm::kUnread, kMl10m},
    {"ml-20m", "movielens", "20,000,263 ratings, 138,493 users x 27,278 films", kMovieLens, kNewMovieLensTerms,
     PublicForm::kUnread, kMl20m},
    {"ml-25m", "movielens", "25,000,095 ratings, 162,541 users x 62,423 films", kMovieLens, kNewMovieLensTerms,
     PublicForm::kUnread, kMl25m},
    {"mnist", "", "60,000 train, 10,000 test x 28 x 28 pixels", "https://storage.googleapis.com/cvdf-datasets/mnist",
     "LeCun and Cortes: CC BY-SA 3.0", PublicForm::kFolder, kMnist},
    {"cifar-10", "cifar10", "50,000 train, 10,000 test x 3 x 32 x 32 pixels", "https://www.cs.toronto.edu/~kriz",
     "Krizhevsky's page states no licence; it asks to cite his report of 2009", PublicForm::kUnread, kCifar10},
    {"text8", "", "100,000,000 characters", "https://mattmahoney.net/dc",
     "Mahoney's page states none; it is text of the English Wikipedia of March 2006", PublicForm::kUnread, kText8},
};

bool is_called(const PublicFile& file, std::string_view name) {
    return file.name == name || file.name.substr(0, file.name.rfind('.')) == name;
}

bool same(std::string_view one, std::string_view other) {
    return std::ranges::equal(one, other,
                              [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

std::vector<const PublicSet*> also_called(std::string_view name) {
    std::vector<const PublicSet*> sets;
    for (const PublicSet& set : kSets) {
        if (!set.also.empty() && same(set.also, name)) sets.push_back(&set);
    }
    return sets;
}

} // namespace

std::span<const PublicSet> public_sets() { return kSets; }

std::optional<PublicChoice> find_public(std::string_view name) {
    for (const PublicSet& set : kSets) {
        if (same(set.name, name)) return PublicChoice{&set, set.files};
    }
    if (const auto sets = also_called(name); sets.size() == 1) return PublicChoice{sets[0], sets[0]->files};
    for (const PublicSet& set : kSets) {
        for (const PublicFile& file : set.files) {
            if (is_called(file, name)) return PublicChoice{&set, {&file, 1}};
        }
    }
    return {};
}

std::string public_kinds(std::string_view name) {
    std::vector<std::string_view> names;
    for (const PublicSet* set : also_called(name)) names.push_back(set->name);
    return names.size() > 1 ? fmt::format("{}", fmt::join(names, ", ")) : "";
}

std::string public_names() {
    std::vector<std::string_view> names;
    for (const PublicSet& set : kSets) names.push_back(set.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace hogwild
