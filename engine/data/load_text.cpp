#include "engine/data/load_text.h"

#include "engine/called.h"
#include "engine/data/words/word_questions.h"
#include "engine/error.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

namespace hogwild {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, TokensView::kSets> kUsualPairs = {"EN-MEN-TR-3k.txt", "EN-WS-353-ALL.txt"};
constexpr const char* kUsualAnalogies = "questions-words.txt";

/// Which set a file's name says.
std::optional<std::size_t> set_of(const std::string& path) {
    const std::string name = fs::path(path).filename();
    if (name.find("MEN") != std::string::npos) return 0;
    for (const char* word : {"WS-353", "WS353", "ws-353", "ws353", "wordsim353"}) {
        if (name.find(word) != std::string::npos) return 1;
    }
    return {};
}

/// The file of that name beside the text; empty where there is none.
std::string beside(const std::string& text, const char* name) {
    const fs::path path = fs::path(text).parent_path() / name;
    std::error_code absent;
    return fs::is_regular_file(path, absent) ? path.string() : "";
}

} // namespace

QuestionFiles question_files(const std::string& text, const std::vector<std::string>& pairs,
                             const std::string& analogies) {
    QuestionFiles files;
    for (const std::string& path : pairs) {
        const auto set = set_of(path);
        if (!set || !files.pairs[*set].empty()) {
            throw Error(Failure::kUsage, "--similarity " + path + " cannot be scored",
                        set ? "another file of the same set was named"
                            : "its name is neither of MEN nor of WS-353, which have columns of their own",
                        fmt::format("name one file of each, or use {} similarity --pairs on saved vectors", called()));
        }
        files.pairs[*set] = path;
    }
    for (std::size_t s = 0; s < kUsualPairs.size() && pairs.empty(); ++s) files.pairs[s] = beside(text, kUsualPairs[s]);
    files.analogies = analogies.empty() ? beside(text, kUsualAnalogies) : analogies;
    return files;
}

void ask(TokensData& data, const QuestionFiles& files) {
    for (std::size_t s = 0; s < TokensView::kSets; ++s) {
        if (files.pairs[s].empty()) continue;
        const std::vector<PairQuestion> questions = read_pair_questions(files.pairs[s]);
        data.array->pairs[s] = covered(questions, *data.words);
        data.array->pairs_asked[s] = static_cast<std::uint32_t>(questions.size());
    }
    if (files.analogies.empty()) return;
    const std::vector<AnalogyQuestion> questions = read_analogy_questions(files.analogies);
    data.array->analogies = covered(questions, *data.words);
    data.array->analogies_asked = static_cast<std::uint32_t>(questions.size());
}

} // namespace hogwild
