#include "experiments/compare/compare.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/scheme_traits.h"
#include "experiments/targets/objectives.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hogwild {
namespace {

/// What a scheme is, among the keys of --against: no column of its own.
constexpr std::string_view kKind = "kind";

/// What a row's target is of; tables of earlier versions have losses alone.
std::string_view target_of(const SummaryRow& row) {
    const std::string& name = row.text("target_of");
    return name.empty() ? kTrainLoss : std::string_view(name);
}

/// Two values that a file's digits or a solver's last bits tell apart are one target.
bool targets_agree(const Side& a, const Side& b) {
    constexpr double kRounding = 1e-9;
    for (std::size_t i = 0; i < a.runs.size(); ++i) {
        if (target_of(*a.runs[i]) != target_of(*b.runs[i])) return false;
        const double first = a.runs[i]->number("target").value_or(0), second = b.runs[i]->number("target").value_or(0);
        if (std::abs(first - second) > kRounding * std::max(std::abs(first), std::abs(second))) return false;
    }
    return true;
}

std::string why_undecided(const Comparison& of) {
    const std::size_t seeds = of.a.runs.size();
    if (seeds < kFewestPairs) {
        return fmt::format("{} seed{} in common, {} are needed", seeds, seeds == 1 ? "" : "s", kFewestPairs);
    }
    const bool a_reached = successes(of.a.trials) > 0, b_reached = successes(of.b.trials) > 0;
    if (!a_reached && !b_reached) return "neither got there";
    if (!b_reached) return "B never got there, and was stopped too early to tell";
    return a_reached ? "either is possible" : "A never got there, and was stopped too early to tell";
}

Split split_of(const Comparison& of, const Metric& metric) {
    std::vector<Trial> a, b;
    for (const SummaryRow* row : of.a.runs) a.push_back(trial_of(*row, in_updates(metric)));
    for (const SummaryRow* row : of.b.runs) b.push_back(trial_of(*row, in_updates(metric)));
    const double updates_a = expected_cost(a), updates_b = expected_cost(b);
    return {(of.b.expected() / updates_b) / (of.a.expected() / updates_a), updates_b / updates_a};
}

/// Errors: usage where no row was measured by this metric.
void check_measured(const Summary& summary, const Metric& metric) {
    const std::string column = metric.is_rate()           ? metric.rate_column
                               : metric.reach == "target" ? "target"
                                                          : "seconds_to_" + metric.reach;
    for (const SummaryRow& row : summary.rows) {
        if (!row.text(column).empty()) return;
    }
    throw Error(Failure::kUsage, metric.name() + " cannot be compared",
                fmt::format("no run of {} has a {}", summary.folder, column),
                metric.is_rate() ? "run again"
                                 : "run with --target (gap:1e-2, a loss, or a score such as test_rmse:0.9), or use "
                                   "--metric updates-per-second");
}

bool is_one_of(const Configuration& configuration, const Against& against) {
    return std::ranges::all_of(against, [&](const auto& wanted) {
        if (wanted.first == kKind) return kind_of(configuration.asked("scheme")) == wanted.second;
        const std::string& cell = configuration.asked(wanted.first);
        const auto value = parse_real(cell), number = parse_real(wanted.second);
        return cell == wanted.second || (value && number && *value == *number);
    });
}

double expected_cost(const Configuration& of, const Metric& metric) {
    std::vector<Trial> trials;
    for (const auto& [seed, row] : of.runs) trials.push_back(trial_of(*row, metric));
    return expected_cost(trials);
}

std::string against_text(const Against& against) {
    std::vector<std::string> words;
    for (const auto& [key, value] : against) words.push_back(fmt::format("{}={}", key, value));
    return fmt::format("{}", fmt::join(words, ","));
}

/// Says so where seeds or configurations stayed alone.
void add_notes(Compared& compared, std::size_t without_seeds) {
    std::size_t unpaired = 0;
    for (const Comparison& of : compared.list) unpaired += of.unpaired;
    if (unpaired > 0) {
        compared.notes.push_back(
            fmt::format("{} run{} left out: the other side lacks the seed", unpaired, unpaired == 1 ? "" : "s"));
    }
    if (without_seeds > 0) {
        compared.notes.push_back(fmt::format("{} configuration{} left out: no seed in common", without_seeds,
                                             without_seeds == 1 ? "" : "s"));
    }
    if (compared.list.empty()) {
        throw Error(Failure::kUsage, "nothing can be compared", "no two configurations have a seed in common",
                    "run both with the same --seed list");
    }
}

void note_alone(Compared& compared, const std::vector<const Configuration*>& alone, const std::string& folder) {
    if (alone.empty()) return;
    compared.notes.push_back(fmt::format("only in {}: {}{}", folder, describe_configuration(alone[0]->first()),
                                         alone.size() == 1 ? "" : fmt::format(" and {} more", alone.size() - 1)));
}

} // namespace

std::string describe_configuration(const SummaryRow& row) {
    const Plan usual;
    std::string text = row.text("scheme");
    const std::string &guard = row.text("guard"), &update = row.text("update");
    if (!update.empty()) text += " " + update;
    if (!guard.empty() && guard != usual.guard) text += " " + guard;
    const auto add = [&](std::string_view column, std::string_view before, std::string_view after) {
        if (!row.text(column).empty()) text += fmt::format(", {}{}{}", before, setting_text(row.text(column)), after);
    };
    if (row.text("device") != usual.device) text += fmt::format(", {} on {}", row.text("device"), row.text("memory"));
    add("threads", "", row.text("threads") == "1" ? " thread" : " threads");
    if (!row.text("streams").empty())
        text += fmt::format(", {} x {}", row.text("streams"),
                            row.text("blocks").empty() ? "graphs" : row.text("blocks") + " blocks");
    add("products", "products in ", "");
    text += fmt::format(", step {} {}", row.text("step"), setting_text(row.text("step_size")));
    if (!row.text("decay").empty()) text += " x " + setting_text(row.text("decay"));
    add("warm_up", "warm-up ", "");
    add("batch", "batch ", "");
    if (row.text("gpu_batch") != "0") add("gpu_batch", "", " on the GPU");
    if (row.text("batch_rule") != usual.batch.rule) add("batch_rule", "", " batches");
    add("batch_most", "up to ", "");
    add("exchange", "exchange ", "");
    add("cluster", "", " to a model");
    add("combine", "", "");
    add("exchange_doublings", "2^", " times the exchange");
    add("coupling", "coupling ", "");
    add("backup", "", row.text("backup") == "1" ? " backup" : " backups");
    if (row.text("layer_update") != usual.network.update) add("layer_update", "layers ", "");
    if (row.text("optimizer") != usual.optimizer.name) add("optimizer", "", "");
    if (row.text("staleness_rule") != usual.staleness.rule) add("staleness_rule", "stale steps ", "");
    add("staleness_limit", "limit ", "");
    return text;
}

/// Those who had nothing to do took no time, so nothing tells them apart. It is for times to a target, not for rates.
bool met_at_start(const std::vector<TrialPair>& pairs) {
    return std::ranges::any_of(pairs, [](const TrialPair& pair) {
        return (pair.a.gained > 0 && pair.a.spent <= 0) || (pair.b.gained > 0 && pair.b.spent <= 0);
    });
}

std::optional<Comparison> compare_runs(const Configuration& a, const Configuration& b, const Metric& metric) {
    Comparison of;
    std::vector<TrialPair> pairs;
    for (const auto& [seed, row] : a.runs) {
        const auto partner = b.runs.find(seed);
        if (partner == b.runs.end()) continue;
        pairs.push_back({trial_of(*row, metric), trial_of(*partner->second, metric)});
        of.a.runs.push_back(row);
        of.b.runs.push_back(partner->second);
        of.a.trials.push_back(pairs.back().a);
        of.b.trials.push_back(pairs.back().b);
    }
    if (pairs.empty()) return {};
    of.unpaired = a.runs.size() + b.runs.size() - 2 * pairs.size();
    of.ratio = ratio_interval(pairs);
    of.judgement = judge(of.ratio);
    if (of.judgement == Judgement::kUndecided) of.reason = why_undecided(of);
    const auto tell_nothing = [&](const char* reason) {
        of.ratio = {std::numeric_limits<double>::quiet_NaN(), 0, std::numeric_limits<double>::infinity()};
        of.judgement = Judgement::kUndecided;
        of.reason = reason;
    };
    if (!metric.is_rate() && met_at_start(pairs))
        tell_nothing("the first weights met the target; take one further away");
    if (metric.reach == "target" && !targets_agree(of.a, of.b)) tell_nothing("the two had different targets");
    const bool both_reached = successes(of.a.trials) > 0 && successes(of.b.trials) > 0;
    if (metric.kind == Metric::Kind::kTime && both_reached) of.split = split_of(of, metric);
    return of;
}

Compared compare_folders(const Summary& a, const Summary& b, const Metric& metric) {
    for (const Summary* summary : {&a, &b}) check_measured(*summary, metric);
    const std::vector<Configuration> of_a = configurations(a), of_b = configurations(b);
    const Matches matches = match(of_a, of_b);
    if (matches.both.empty()) {
        throw Error(Failure::kUsage, fmt::format("{} and {} have no configuration in common", a.folder, b.folder),
                    "the closest two differ in " + matches.nearest, "run both with the same axes");
    }
    Compared compared;
    std::size_t without_seeds = 0;
    for (const Match& pair : matches.both) {
        auto of = compare_runs(*pair.a, *pair.b, metric);
        if (of) compared.list.push_back(std::move(*of));
        without_seeds += of ? 0 : 1;
    }
    note_alone(compared, matches.only_a, a.folder);
    note_alone(compared, matches.only_b, b.folder);
    add_notes(compared, without_seeds);
    return compared;
}

Against parse_against(const std::string& text) {
    Against against;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string word = text.substr(at, end - at);
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string key = word.substr(0, equals);
        const bool known = key == kKind || std::ranges::find(asked_columns(), key) != asked_columns().end();
        if (equals == word.size() || !known) {
            throw Error(Failure::kUsage, "--against cannot be '" + text + "'",
                        "'" + word + "' is not KEY=VALUE with a key of a configuration",
                        fmt::format("give one like scheme=minibatch,threads=4 or kind=sync,threads=4; keys: kind, {}",
                                    fmt::join(asked_columns(), ", ")));
        }
        against.emplace_back(key, word.substr(equals + 1));
        at = end + 1;
    }
    return against;
}

Compared compare_with_best(const Summary& summary, const Against& against, const Metric& metric) {
    check_measured(summary, metric);
    const std::vector<Configuration> all = configurations(summary);
    const std::vector<std::string_view> objective = objective_columns();
    std::map<std::vector<std::string>, const Configuration*> best;
    for (const Configuration& candidate : all) {
        if (!is_one_of(candidate, against)) continue;
        const auto [at, fresh] = best.emplace(cells_of(candidate, objective), &candidate);
        if (!fresh && expected_cost(candidate, metric) < expected_cost(*at->second, metric)) at->second = &candidate;
    }
    if (best.empty()) {
        throw Error(Failure::kUsage, fmt::format("{} has no run with {}", summary.folder, against_text(against)),
                    "the others are compared with the best of those",
                    "add serial to --scheme, or name others with --against KEY=VALUE");
    }
    Compared compared;
    std::size_t without_seeds = 0, without_baseline = 0;
    for (const auto& [cells, baseline] : best) compared.baselines.push_back(*baseline);
    for (const Configuration& configuration : all) {
        const auto baseline = best.find(cells_of(configuration, objective));
        if (baseline == best.end()) ++without_baseline;
        if (baseline == best.end() || baseline->second == &configuration) continue;
        auto of = compare_runs(*baseline->second, configuration, metric);
        if (of) compared.list.push_back(std::move(*of));
        without_seeds += of ? 0 : 1;
    }
    if (without_baseline > 0) {
        compared.notes.push_back(
            fmt::format("{} configuration{} left out: none of the same problem, data, l2, l1 and delay has {}",
                        without_baseline, without_baseline == 1 ? "" : "s", against_text(against)));
    }
    if (compared.list.empty() && without_seeds == 0) {
        throw Error(Failure::kUsage, fmt::format("{} has nothing to compare", summary.folder),
                    fmt::format("{} is all that it holds", against_text(against)),
                    "run other configurations beside it");
    }
    add_notes(compared, without_seeds);
    return compared;
}

} // namespace hogwild
