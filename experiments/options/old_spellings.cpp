#include "experiments/options/old_spellings.h"

#include "engine/error.h"
#include "engine/plan/axes.h"

#include <fmt/format.h>

namespace hogwild {
namespace {

/// Calls `use` with the row of each axis, a value that is an old spelling, and what it is today.
template <class Use>
void each_spelling(const Axes& axes, const Use& use) {
    for (const Axis* row : hogwild::axes()) {
        if (row->respelled == nullptr) continue;
        for (const std::string& value : axes.texts(row->name)) {
            if (const Spelling today = row->respelled(value); !today.empty()) use(*row, value, today);
        }
    }
}

} // namespace

std::string spelling_line(std::string_view option, std::string_view value) {
    const Spelling today = respelled(option, value);
    return today.empty() ? "" : fmt::format("note: --{} {} is {}", option, value, options_text(today));
}

std::vector<std::string> spelling_lines(const Axes& axes) {
    std::vector<std::string> lines;
    each_spelling(axes, [&](const Axis& row, const std::string& value, const Spelling& today) {
        lines.push_back(fmt::format("note: {} {} is {}", option_of(row), value, options_text(today)));
    });
    return lines;
}

void check_spellings(const Axes& axes) {
    each_spelling(axes, [&](const Axis& row, const std::string& value, const Spelling& today) {
        for (const auto& [name, part] : today) {
            if (name == row.name || axes.open(name)) continue;
            throw Error(Failure::kUsage,
                        fmt::format("{} {} cannot go with {}", option_of(row), value, option_of(axis(name))),
                        "it is " + options_text(today), "give each part its own option");
        }
    });
}

} // namespace hogwild
