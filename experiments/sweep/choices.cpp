#include "experiments/sweep/choices.h"

#include "experiments/folder/result.h"

namespace hogwild {
namespace {

Cell number(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }

std::vector<Column> row_of(const Candidate& best, const Chosen& chosen, const std::string& data) {
    std::string tried;
    for (const Setting& setting : best.tried)
        tried += (tried.empty() ? "" : " ") + setting.option + '=' + setting.value;
    std::vector<Column> row = axis_columns(best.plan, data);
    row.push_back({"tried", tried});
    row.push_back({"at_edge", std::uint64_t{chosen.at_edge}});
    row.push_back({"trials", std::uint64_t{chosen.trials}});
    row.push_back({"reached", std::uint64_t{chosen.reached}});
    row.push_back({"seconds_to_target", number(chosen.seconds)});
    row.push_back({"train_loss", number(chosen.loss)});
    row.push_back({"score", number(chosen.score)});
    return row;
}

} // namespace

std::string choices_header() { return header_line(row_of({}, {}, "")); }

std::string choices_lines(const std::vector<Combination>& combinations, const std::vector<Chosen>& chosen,
                          const std::string& data) {
    std::string text;
    for (std::size_t i = 0; i < combinations.size(); ++i)
        text += row_line(row_of(combinations[i].candidates.at(chosen[i].ranked.front()), chosen[i], data));
    return text;
}

} // namespace hogwild
