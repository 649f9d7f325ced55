// A graph of an image of 3 x 2 pixels whose minimum cut anyone sees.
#pragma once

#include <string>

namespace hogwild {

/// A maximum flow of DIMACS: pixels hang on their side's terminal by 10 and on their neighbours by 1. The best cut keeps all of
/// their sides (S T T above S S T), and parts 3 pairs of neighbours.
inline const std::string kTinyGraph = "p max 8 20\n"
                                      "n 7 s\n"
                                      "n 8 t\n"
                                      "a 7 1 10\na 2 8 10\na 3 8 10\n"
                                      "a 7 4 10\na 7 5 10\na 6 8 10\n"
                                      "a 1 2 1\na 2 1 1\na 2 3 1\na 3 2 1\n"
                                      "a 4 5 1\na 5 4 1\na 5 6 1\na 6 5 1\n"
                                      "a 1 4 1\na 4 1 1\na 2 5 1\na 5 2 1\na 3 6 1\na 6 3 1\n";

} // namespace hogwild
