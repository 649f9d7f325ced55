// hogwild similarity: how well saved word vectors, ours or anybody's, agree with people.
//
// Errors: Error; main turns it into a message and an exit code.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hogwild {

struct SimilarityOptions {
    std::string model;
    std::vector<std::string> pairs;
    std::string analogies; // empty: none
    bool json = false;
};

void add_similarity_options(CLI::App& app, SimilarityOptions& options);

int similarity_command(const SimilarityOptions& options);

} // namespace hogwild
