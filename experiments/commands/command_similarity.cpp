#include "experiments/commands/command_similarity.h"

#include "engine/data/words/word_questions.h"
#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/record/word_scores.h"
#include "experiments/files/durable.h"
#include "experiments/model/word_vectors.h"
#include "experiments/options/command_line.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/json.h"
#include "experiments/text/printable.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace hogwild {
namespace {

/// One file of questions, answered.
struct Answered {
    std::string file;
    const char* score; // its name
    double value;
    std::size_t covered, asked;
};

std::string text_of(const Answered& of, const char* kind) {
    const std::string value = std::isfinite(of.value) ? fmt::format("{:.4f}", of.value) : "undefined";
    return fmt::format("{}: {} {}, {} of {} {} covered\n", of.file, of.score, value, grouped(of.covered),
                       grouped(of.asked), kind);
}

Json json_of(const Answered& of) {
    return {{"file", of.file},
            {"score", of.score},
            {"value", std::isfinite(of.value) ? Json(of.value) : Json()},
            {"covered", of.covered},
            {"asked", of.asked}};
}

} // namespace

void add_similarity_options(CommandLine& app, SimilarityOptions& options) {
    app.about("Score saved word vectors: rank correlation with people's judgements of pairs, analogies solved.");
    app.footer("Examples:\n"
               "  hogwild run --problem skipgram --data text.txt --scheme hogwild --save vectors.bin\n"
               "  hogwild similarity --model vectors.bin --pairs EN-MEN-TR-3k.txt --analogies questions-words.txt");
    app.option("--model", options.model, "Word vectors in word2vec's formats: .bin or .txt")
        .shown_as("FILE")
        .required();
    app.option("--pairs", options.pairs, "Files of pairs: word, word, score").shown_as("FILE...");
    app.option("--analogies", options.analogies, "Analogies as in word2vec's questions-words.txt").shown_as("FILE");
    app.flag("--json", options.json, "One JSON object instead of text").in("Output");
}

int similarity_command(const SimilarityOptions& options) {
    if (options.pairs.empty() && options.analogies.empty()) {
        throw Error(Failure::kUsage, "nothing is asked of " + options.model, "no file of questions was named",
                    "add --pairs FILE or --analogies FILE");
    }
    const WordVectors model = load_word_vectors(options.model);
    std::vector<Answered> answered;
    std::string text =
        fmt::format("{}: {} words, {} dimensions\n", options.model, grouped(model.words->size()), model.dim);
    for (const std::string& file : options.pairs) {
        const std::vector<PairQuestion> questions = read_pair_questions(file);
        const std::vector<WordPair> pairs = covered(questions, *model.words);
        answered.push_back({file, "spearman", similarity_score(model.vectors.data(), model.dim, pairs), pairs.size(),
                            questions.size()});
        text += text_of(answered.back(), "pairs");
    }
    if (!options.analogies.empty()) {
        const std::vector<AnalogyQuestion> questions = read_analogy_questions(options.analogies);
        const std::vector<Analogy> analogies = covered(questions, *model.words);
        answered.push_back({options.analogies, "accuracy",
                            analogy_accuracy(model.vectors.data(), model.words->size(), model.dim, analogies),
                            analogies.size(), questions.size()});
        text += text_of(answered.back(), "analogies");
    }
    if (options.json) {
        Json json = {{"model", options.model}, {"words", model.words->size()}, {"dim", model.dim}};
        for (const Answered& each : answered) json["answered"].push_back(json_of(each));
        print(json_text(json) + '\n');
        return kExitDone;
    }
    print(printable(text));
    return kExitDone;
}

} // namespace hogwild
