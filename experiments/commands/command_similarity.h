// hogwild similarity: how well saved word vectors, ours or anybody's, agree with people.
//
// Errors: Error; main turns it into a message and an exit code.
#pragma once

#include <string>
#include <vector>

namespace hogwild {

class CommandLine;

struct SimilarityOptions {
    std::string model;
    std::vector<std::string> pairs;
    std::string analogies; // empty: none
    bool json = false;
};

void add_similarity_options(CommandLine& app, SimilarityOptions& options);

int similarity_command(const SimilarityOptions& options);

} // namespace hogwild
