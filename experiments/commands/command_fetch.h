// hogwild data fetch: lists the public data sets, or brings one into the user's data folder.
//
// Errors: Error; main turns it into a message and an exit code.
#pragma once

#include <string>

namespace hogwild {

class CommandLine;

struct FetchOptions {
    std::string name;   // of a set or of one of its files; empty: list them
    std::string folder; // empty: the user's data folder
    std::string from;   // a mirror's folder; empty: the publisher
    bool quiet = false;
};

void add_fetch_options(CommandLine& app, FetchOptions& options);

int fetch_command(const FetchOptions& options);

} // namespace hogwild
