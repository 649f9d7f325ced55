// Runs on samples of one name and other contents: told apart before runs are paired.
//
// A run's manifest.json has the hashes of its training and test samples. Where runs on one `data` have several of them, that cell
// says which: "c3.svm (content 1a2b3c4d5e6f7081)". Runs without a manifest keep the name: nobody knows what they had.
// Thread-safe for different summaries. Errors: none; a manifest that cannot be read is none.
#pragma once

#include "experiments/folder/summary_rows.h"

#include <span>
#include <string>
#include <vector>

namespace hogwild {

/// `summaries`: all whose runs are compared with each other. Returns what a reader should know, a line for each such name.
std::vector<std::string> tell_samples_apart(std::span<Summary* const> summaries);

} // namespace hogwild
