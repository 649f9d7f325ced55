#include "experiments/scripts/search_path.h"

#include <algorithm>

#include <unistd.h>

extern char** environ;

namespace hogwild {
namespace {

/// Calls `visit` with each absolute part until it returns true.
template <class Visit>
void visit_absolute(std::string_view list, const Visit& visit) {
    while (!list.empty()) {
        const std::size_t colon = std::min(list.find(':'), list.size());
        const std::string_view part = list.substr(0, colon);
        if (part.starts_with('/') && visit(part)) return;
        list.remove_prefix(std::min(colon + 1, list.size()));
    }
}

} // namespace

std::string absolute_parts(std::string_view list) {
    std::string parts;
    visit_absolute(list, [&](std::string_view part) {
        parts.append(parts.empty() ? "" : ":").append(part);
        return false;
    });
    return parts;
}

std::string program_in(std::string_view list, std::string_view name) {
    std::string found;
    visit_absolute(list, [&](std::string_view part) {
        std::string path = std::string(part) + "/" + std::string(name);
        if (access(path.c_str(), X_OK) != 0) return false;
        found = std::move(path);
        return true;
    });
    return found;
}

std::vector<std::string> python_environment() {
    std::vector<std::string> words;
    for (char** word = environ; *word != nullptr; ++word) {
        const std::string_view text = *word;
        for (const std::string_view list : {"PATH=", "PYTHONPATH="}) {
            if (text.starts_with(list)) words.push_back(std::string(list) + absolute_parts(text.substr(list.size())));
        }
        if (!text.starts_with("PATH=") && !text.starts_with("PYTHONPATH=")) words.emplace_back(text);
    }
    return words;
}

} // namespace hogwild
