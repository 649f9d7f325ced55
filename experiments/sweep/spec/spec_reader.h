// One table of a sweep's file: what its keys hold, as text. What it holds wrong is said with the line, why, and what is
// known.
//
// Borrowed memory: of the parsed file and its name. Thread-safe: const methods.
// Errors: Error (Failure::kUsage), "FILE:LINE: what".
#pragma once

#include "engine/error.h"
#include "experiments/sweep/spec/run_words.h"
#include "experiments/sweep/spec/spec.h"
#include "experiments/text/printable.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

class SpecReader {
public:
    SpecReader(const toml::table& table, std::string_view file, std::string name)
        : table_(table), file_(file), name_(std::move(name)) {}

    [[noreturn]] void refuse(const toml::node& node, const std::string& what, const std::string& why,
                             const std::string& suggestion) const {
        throw Error(Failure::kUsage, place(node) + ": " + printable(what), printable(why), suggestion);
    }

    /// One value as text.
    std::string text(const toml::node& node, std::string_view key) const;

    /// One or more.
    std::vector<std::string> texts(const toml::node& node, std::string_view key) const;

    /// Keys that `known` does not hold are errors.
    void check_keys(const std::vector<std::string>& known) const;

    /// A part of this table, or of the file.
    SpecReader part(const toml::node& node, std::string name) const;

    /// Each key with its one value, which the option takes; `known` are the options that there may be.
    std::vector<Setting> settings(const std::vector<std::string>& known = run_options()) const;

    /// Runs `work`; what it refuses is said with the node's line.
    template <class Work>
    auto at(const toml::node& node, const Work& work) const {
        try {
            return work();
        } catch (const Error& error) {
            throw Error(place(node), error);
        }
    }

    const toml::table& table() const { return table_; }

private:
    /// What no line of the file holds came from the command line.
    std::string place(const toml::node& node) const {
        if (node.source().begin.line == 0) return "--set";
        return fmt::format("{}:{}:{}", file_, node.source().begin.line, node.source().begin.column);
    }

    const toml::table& table_;
    std::string_view file_;
    std::string name_;
};

} // namespace hogwild
