#include "experiments/sweep/spec/paper_runs.h"

#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "experiments/folder/result.h"

#include <fmt/format.h>

#include <algorithm>

namespace hogwild {
namespace {

bool same(const std::string& cell, const std::string& value) {
    const auto a = parse_real(cell), b = parse_real(value);
    return a && b ? *a == *b : (cell.empty() ? "none" : cell) == value;
}

std::string column_of(std::string option) {
    std::ranges::replace(option, '-', '_');
    return option;
}

/// With what old spellings are today.
std::vector<Setting> of_today(const std::vector<Setting>& values) {
    std::vector<Setting> settings;
    for (const Setting& setting : values) {
        const Spelling today = hogwild::respelled(setting.option, setting.value);
        if (today.empty()) settings.push_back(setting);
        for (const auto& [axis, part] : today) settings.push_back({std::string(axis), part});
    }
    return settings;
}

bool fits(const std::vector<Setting>& values, const std::vector<Column>& row) {
    return std::ranges::all_of(of_today(values), [&](const Setting& setting) {
        const auto at = std::ranges::find(row, column_of(setting.option), &Column::name);
        return at != row.end() && same(cell_text(at->cell), setting.value);
    });
}

} // namespace

PaperRuns::PaperRuns(const std::vector<Paper>& papers) {
    for (const Paper& paper : papers) {
        for (const std::vector<Setting>& values : {paper.where, paper.over}) {
            if (std::ranges::find(idle_, values) == idle_.end()) idle_.push_back(values);
        }
    }
}

void PaperRuns::add(const Plan& plan, const std::string& data) {
    if (idle_.empty()) return;
    const std::vector<Column> row = axis_columns(plan, data);
    std::erase_if(idle_, [&](const std::vector<Setting>& values) { return fits(values, row); });
}

std::vector<std::string> PaperRuns::notes() const {
    std::vector<std::string> notes;
    for (const std::vector<Setting>& values : idle_) {
        std::string words;
        for (const auto& [option, value] : values)
            words += fmt::format("{}{} = {}", words.empty() ? "" : ", ", option, value);
        notes.push_back(
            fmt::format("note: a [[paper]] fits no run ({}); the report will have nothing beside it", words));
    }
    return notes;
}

} // namespace hogwild
