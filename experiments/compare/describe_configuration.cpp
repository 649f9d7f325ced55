#include "experiments/compare/describe_configuration.h"

#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/plan.h"
#include "experiments/compare/compare_groups.h"
#include "experiments/compare/compare_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace hogwild {
namespace {

using Columns = std::set<std::string_view>;

/// The cell of a plan that nobody changed.
std::string usual_cell(const Axis& axis) { return written(value_of(axis, Plan{})); }

/// Whether the cell is empty, or has the default of a plan.
bool is_usual(const SummaryRow& row, std::string_view column) {
    const std::string& cell = row.text(column);
    const std::string usual = usual_cell(axis(column));
    const auto number = parse_real(cell), usual_number = parse_real(usual);
    return cell.empty() || cell == usual || (number && usual_number && *number == *usual_number);
}

bool knows(const Axis& axis, const std::string& name) {
    return axis.names == nullptr || std::ranges::find(axis.names(), name) != axis.names().end();
}

/// Sets what the cell says. False, and nothing is set: no plan of this version has such a cell.
bool read_cell(const Axis& axis, const std::string& cell, Plan& plan) {
    const Value now = value_of(axis, plan);
    if (std::holds_alternative<std::uint64_t>(now)) {
        const auto count = parse_count(cell);
        if (count) put(axis, plan, *count);
        return count.has_value();
    }
    if (std::holds_alternative<Real>(now)) {
        const auto real = parse_real(cell);
        if (real) put(axis, plan, Real(*real));
        return real.has_value();
    }
    Plan read = plan;
    if (axis.read != nullptr)
        axis.read(read, cell);
    else
        put(axis, read, cell);
    if (!knows(axis, std::get<std::string>(value_of(axis, read)))) return false;
    plan = read;
    return true;
}

/// "racy+delayed" says what becomes of hot coordinates too, which has no column.
bool read_update(const std::string& cell, Plan& plan) {
    const std::size_t plus = cell.find('+');
    const std::string hot = plus == std::string::npos ? usual_cell(axis("hot_updates")) : cell.substr(plus + 1);
    return read_cell(axis("update"), cell.substr(0, plus), plan) && read_cell(axis("hot_updates"), hot, plan);
}

bool read_column(std::string_view column, const std::string& cell, Plan& plan) {
    return column == "update" ? read_update(cell, plan) : read_cell(axis(column), cell, plan);
}

/// A plan with what the row's cells say; `unread`: columns whose cells no plan of this version has.
Plan plan_of_row(const SummaryRow& row, Columns& unread) {
    Plan plan;
    for (const std::string_view column : identity_columns()) {
        const std::string& cell = row.text(column);
        if (cell.empty() || find_axis(column) == nullptr) continue;
        if (!read_column(column, cell, plan)) unread.insert(column);
    }
    plan.scheme = row.text("scheme"); // of another version's scheme the name is said, and nothing else is known
    unread.erase("scheme");
    return plan;
}

/// What the rows of axes say of a plan, as `describe` does, but for axes in `without`.
std::string sentence_of(const Plan& plan, const Columns& without) {
    std::map<int, std::string> parts;
    for (const Axis* row : axes()) {
        if (row->sentence.text != nullptr && !without.contains(row->name))
            parts[row->sentence.place] = row->sentence.text(plan);
    }
    std::string sentence;
    for (const auto& [place, text] : parts) sentence += text;
    return sentence.substr(std::min(sentence.find_first_not_of(", "), sentence.size()));
}

/// Whether the plan's sentence would be another if the column had its usual cell.
bool is_told(const Plan& plan, std::string_view column, const std::string& sentence, const Columns& without) {
    Plan usual = plan;
    return read_column(column, usual_cell(axis(column)), usual) && sentence_of(usual, without) != sentence;
}

} // namespace

std::string describe_configuration(const SummaryRow& row, const std::vector<std::string_view>& said) {
    Columns without(said.begin(), said.end()), unread;
    const std::vector<std::string_view> objective = objective_columns();
    without.insert(objective.begin(), objective.end());
    const Plan plan = plan_of_row(row, unread);
    Columns silent = without;
    silent.insert(unread.begin(), unread.end());
    const std::string sentence = sentence_of(plan, silent);
    std::string text = sentence;
    for (const std::string_view column : identity_columns()) {
        if (without.contains(column) || is_usual(row, column)) continue;
        if (unread.contains(column) || !is_told(plan, column, sentence, silent))
            text += fmt::format(", {} {}", words_of_column(column), setting_text(row.text(column)));
    }
    return text;
}

} // namespace hogwild
