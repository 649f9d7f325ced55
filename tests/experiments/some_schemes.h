// Schemes on rows whose steps, batches and exchanges have defaults of all kinds.
#pragma once

#include <string>
#include <vector>

namespace hogwild {

inline const std::vector<std::string> kSchemes{"serial",    "hogwild",   "round-robin", "conflict-free",
                                               "minibatch", "local-sgd", "cyclades",    "replicated"};

} // namespace hogwild
