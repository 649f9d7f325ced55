#include "experiments/bench/harness/figures.h"

#include "engine/numbers.h"
#include "experiments/text/text_table.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hogwild {
namespace {

const std::string kAbsent = "absent";

std::string percent(std::optional<double> share) { return share ? fmt::format("{:.1f} %", *share * 100) : "-"; }

std::optional<double> quotient(std::optional<double> above, std::optional<double> below) {
    if (!above || !below || *below == 0) return std::nullopt;
    return *above / *below;
}

} // namespace

void Figures::add(const std::string& row, const std::string& figure, double value) {
    values_[row][figure].push_back(value);
}

const std::vector<double>* Figures::find(const std::string& row, const std::string& figure) const {
    const auto figures = values_.find(row);
    if (figures == values_.end()) return nullptr;
    const auto values = figures->second.find(figure);
    return values == figures->second.end() ? nullptr : &values->second;
}

std::optional<double> Figures::median(const std::string& row, const std::string& figure) const {
    const std::vector<double>* found = find(row, figure);
    if (found == nullptr) return std::nullopt;
    std::vector<double> values = *found;
    std::sort(values.begin(), values.end());
    return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

std::optional<double> Figures::best(const std::string& row, const std::string& figure) const {
    const std::vector<double>* values = find(row, figure);
    if (values == nullptr) return std::nullopt;
    return *std::max_element(values->begin(), values->end());
}

std::optional<double> Figures::spread(const std::string& row, const std::string& figure) const {
    const std::vector<double>* values = find(row, figure);
    if (values == nullptr) return std::nullopt;
    const auto [least, most] = std::minmax_element(values->begin(), values->end());
    return quotient(*most - *least, median(row, figure));
}

std::set<std::string> Figures::names() const {
    std::set<std::string> names;
    for (const auto& [row, figures] : values_) {
        for (const auto& [name, values] : figures) names.insert(name);
    }
    return names;
}

std::string rows_table(const Figures& figures, const std::vector<std::string>& rows, const std::string& rate,
                       const std::string& ceiling) {
    std::set<std::string> others = figures.names();
    others.erase(rate);
    others.erase(kSecondsFigure);
    TextTable table;
    table.add_column("row", Align::kLeft);
    for (const std::string& title : {std::string("time"), rate, std::string("spread")})
        table.add_column(title, Align::kRight);
    for (const std::string& other : others) table.add_column(other, Align::kRight);
    if (!ceiling.empty()) table.add_column("of " + ceiling, Align::kRight);
    for (const std::string& row : rows) {
        const std::optional<double> speed = figures.median(row, rate);
        if (!speed) continue; // not chosen by the filter
        std::vector<std::string> cells{row, human_seconds(*figures.median(row, kSecondsFigure)), scaled(*speed),
                                       percent(figures.spread(row, rate))};
        for (const std::string& other : others) {
            const std::optional<double> value = figures.median(row, other);
            cells.push_back(value ? scaled(*value) : "-");
        }
        if (!ceiling.empty()) cells.push_back(percent(quotient(speed, figures.median(ceiling, rate))));
        table.add_row(std::move(cells));
    }
    return table.text();
}

std::string ratios_table(const Figures& figures, const std::vector<Ratio>& ratios, const std::string& rate) {
    TextTable table;
    table.add_column("ratio of " + rate, Align::kLeft);
    for (const char* title : {"medians", "bests", "goal"}) table.add_column(title, Align::kRight);
    table.add_column("", Align::kLeft);
    const auto text = [](std::optional<double> value) { return value ? fmt::format("{:.3f}", *value) : kAbsent; };
    for (const Ratio& ratio : ratios) {
        const auto medians = quotient(figures.median(ratio.above, rate), figures.median(ratio.below, rate));
        const auto bests = quotient(figures.best(ratio.above, rate), figures.best(ratio.below, rate));
        const bool judged = ratio.at_least && medians && bests;
        table.add_row({ratio.what, text(medians), text(bests),
                       ratio.at_least ? fmt::format(">= {:.2f}", *ratio.at_least) : "-",
                       !judged                                                    ? ""
                       : *medians >= *ratio.at_least && *bests >= *ratio.at_least ? "met"
                       : *medians < *ratio.at_least && *bests < *ratio.at_least   ? "missed"
                                                                                  : "undecided"});
    }
    return table.text();
}

std::string scaled(double value) {
    static constexpr std::array<std::pair<double, const char*>, 4> kUnits{
        {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
    for (const auto& [size, unit] : kUnits) {
        if (value >= size) return human(value / size) + unit;
    }
    return human(value);
}

} // namespace hogwild
