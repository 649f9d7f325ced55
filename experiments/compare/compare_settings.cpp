#include "experiments/compare/compare_settings.h"

#include "engine/network/network.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/axis.h"
#include "engine/plan/choice_rows.h"
#include "experiments/folder/unseen_settings.h"
#include "kernels/updates/guards/none.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace hogwild {
namespace {

constexpr std::array<std::string_view, 4> kOwn{"threads", "streams", "blocks", "step_size"};
constexpr std::array<std::string_view, 3> kOfMethod{"scheme", "update", "guard"}; // have columns in any table

bool holds(const auto& columns, std::string_view column) { return std::ranges::find(columns, column) != columns.end(); }

} // namespace

bool on_threads(const SummaryRow& row) { return !choice_named(kDeviceTraits, row.text("device")).gpu; }

std::string guard_of(const SummaryRow& row) {
    const std::string& guard = row.text("guard");
    return guard == NoGuard::name ? "" : guard;
}

std::span<const std::string_view> own_columns() { return kOwn; }

std::string update_or_guard(const SummaryRow& row) {
    const std::string guard = guard_of(row), &update = row.text("update");
    if (!guard.empty()) return guard;
    return update.empty() ? "-" : update;
}

std::string words_of_column(std::string_view column) {
    std::string text(column);
    std::ranges::replace(text, '_', ' ');
    return text;
}

bool holds_names(std::string_view column) { return column == "data"; }

std::string asked_cell(const SummaryRow& row, std::string_view column) {
    const std::string& cell = row.text(column);
    return cell.empty() ? "-" : holds_names(column) ? cell : setting_text(cell);
}

std::vector<std::string_view> telling_columns(const std::vector<Comparison>& list) {
    std::vector<std::string_view> columns;
    for (const std::string_view column : identity_columns()) {
        if (holds(kOfMethod, column)) continue;
        std::map<std::vector<std::string>, std::set<std::string>> seen;
        std::set<std::string> all;
        for (const Comparison& of : list) {
            std::vector<std::string> key{of.first().text("scheme"), update_or_guard(of.first())};
            for (const std::string_view shown : columns) key.push_back(of.first().text(shown));
            seen[key].insert(of.first().text(column));
            all.insert(of.first().text(column));
        }
        all.erase("");
        const bool is_own = (holds(kOwn, column) || holds(unseen_columns(), column)) && all.size() > 1;
        if (is_own || std::ranges::any_of(seen, [](const auto& of) { return of.second.size() > 1; }))
            columns.push_back(column);
    }
    return columns;
}

std::string settings_apart(const std::vector<Comparison>& list) {
    std::vector<std::string> texts;
    for (const std::string_view column : unseen_columns()) {
        std::set<std::string> pairs;
        bool apart = false;
        for (const Comparison& of : list) {
            const std::string a = asked_cell(*of.a.runs.front(), column), b = asked_cell(of.first(), column);
            apart |= a != b;
            pairs.insert(fmt::format("{} (A) against {} (B)", a, b));
        }
        if (!apart) continue;
        texts.push_back(option_of(axis(column)) + ' ' + (pairs.size() == 1 ? *pairs.begin() : "by line"));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string in_every_row(const std::vector<const SummaryRow*>& rows, const std::vector<std::string_view>& said) {
    std::vector<std::string> all, some;
    for (const std::string_view column : identity_columns()) {
        if (holds(kOfMethod, column) || holds(said, column)) continue;
        std::set<std::string> texts;
        for (const SummaryRow* row : rows) texts.insert(asked_cell(*row, column));
        std::vector<std::string>& words = texts.erase("-") > 0 ? some : all;
        if (texts.size() != 1) continue;
        words.push_back(words_of_column(column) + ' ' +
                        (column == "network" ? short_text(*texts.begin()) : *texts.begin()));
    }
    if (all.empty() && some.empty()) return "";
    std::string text = fmt::format("in every row: {}", fmt::join(all, ", "));
    if (!some.empty())
        text += fmt::format("{}where they mean something: {}", all.empty() ? "" : "; ", fmt::join(some, ", "));
    return text + '\n';
}

} // namespace hogwild
