#include "engine/plan/name_places.h"

#include "engine/error.h"
#include "engine/plan/choice_rows.h"
#include "engine/plan/optimizer_traits.h"
#include "kernels/catalog.h"
#include "kernels/guards.h"
#include "kernels/steps/staleness_rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

using Names = std::vector<std::string_view>;

struct SchemeGroup {
    std::string_view word;
    bool (*has)(const SchemeTraits&);
};

/// Whether nobody writes what others watch, though workers step side by side.
bool has_no_concurrent_writers(const SchemeTraits& scheme) {
    return !scheme.no_telemetry.empty() && (scheme.writers == Writers::kOwn || scheme.writers == Writers::kDisjoint);
}

using Row = const SchemeTraits&;
constexpr SchemeGroup kSchemeGroups[] = {
    // what they take
    {"guards", [](Row row) { return row.guards; }},
    {"staleness_rules", [](Row row) { return row.staleness_rules; }},
    {"layer_updates", [](Row row) { return row.layer_updates; }},
    {"hot_updates", [](Row row) { return row.hot_updates; }},
    {"optimizer_states", [](Row row) { return row.optimizer_states; }},
    {"backups", [](Row row) { return row.backups; }},
    {"batches", [](Row row) { return row.batches; }},
    {"all_updates", [](Row row) { return row.updates == UpdateChoice::kAll; }},
    {"margin_updates", [](Row row) { return row.updates == UpdateChoice::kMargins; }},
    // who writes what
    {"one_worker", [](Row row) { return row.writers == Writers::kOne; }},
    {"no_concurrent_writers", has_no_concurrent_writers},
    {"replicas", has_replicas},
    {"worker_replicas", [](Row row) { return row.replicas == Replication::kPerWorker; }},
    {"averaged_replicas",
     [](Row row) { return row.replicas == Replication::kPerWorker && row.merging == Merging::kAverages; }},
    {"exchanges", [](Row row) { return row.exchanges(); }},
    {"clusters", [](Row row) { return row.has_clusters(); }},
    {"averaged_clusters", [](Row row) { return row.has_clusters() && row.merging == Merging::kAverages; }},
    {"exchanged_clusters", [](Row row) { return row.has_clusters() && row.merging == Merging::kExchanges; }},
    // what a step takes
    {"minibatches", [](Row row) { return row.is_minibatch(); }},
    {"whole_minibatches", [](Row row) { return row.is_minibatch() && !row.backups; }},
    {"conflict_batches", [](Row row) { return row.batches && row.is_conflict_free(); }},
    {"corrected_steps", [](Row row) { return row.corrects_steps(); }},
    {"column_steps", [](Row row) { return row.steps_on_columns(); }},
    {"never_delayed", never_delays},
    // memory, numbers and devices
    {"steps_on_doubles", [](Row row) { return row.steps_on_doubles(); }},
    {"short_numbers", [](Row row) { return row.short_numbers; }},
    {"short_numbers_alone", [](Row row) { return row.short_numbers && !chooses_memory(row); }},
    {"choice_of_memory", chooses_memory},
    {"gpu_streams", has_gpu_streams},
    {"gpu_batches", has_gpu_batches},
    {"gpu_teams", has_gpu_teams},
    {"gpu_workers", [](Row row) { return has_gpu_streams(row) || has_gpu_teams(row); }},
};

/// The names of those rows of a table that `has` is true of.
template <class Rows, class Has>
Names names_in(const Rows& rows, const Has& has) {
    Names names;
    for (const auto& row : rows) {
        if (has(row)) names.push_back(row.name);
    }
    return names;
}

/// Those of a list of names that `has` is true of.
template <class List, class Has>
Names names_of_list(const List& list, const Has& has) {
    Names names;
    std::ranges::copy_if(list, std::back_inserter(names), has);
    return names;
}

struct Group {
    std::string_view word;
    Names (*names)();
};

constexpr Group kGroups[] = {
    // optimisers
    {"beta1", [] { return names_in(all_optimizers(), [](const OptimizerTraits& row) { return row.beta1; }); }},
    {"beta2", [] { return names_in(all_optimizers(), [](const OptimizerTraits& row) { return row.beta2; }); }},
    // how step sizes fall
    {"decays", [] { return names_in(kStepTraits, [](const StepTraits& row) { return row.decay; }); }},
    {"epoch_decays",
     [] { return names_in(kStepTraits, [](const StepTraits& row) { return row.decay && !row.plateau; }); }},
    {"half_lives", [] { return names_in(kStepTraits, [](const StepTraits& row) { return row.half_life; }); }},
    {"plateaus", [] { return names_in(kStepTraits, [](const StepTraits& row) { return row.plateau; }); }},
    // what stale steps, batches and increments become
    {"limited_rules",
     [] {
         return names_of_list(kStalenessRules, [](std::string_view name) { return has_limit(staleness_rule(name)); });
     }},
    {"adapting_batches",
     [] { return names_in(kBatchRuleTraits, [](const BatchRuleTraits& row) { return row.adapts; }); }},
    {"measured_shares", [] { return names_in(kCombineTraits, [](const CombineTraits& row) { return row.measures; }); }},
    // each increment is written once, whatever others do meanwhile; and of these, those of which none is lost
    {"plain_updates",
     [] {
         return names_of_list(catalog::names<Updates>, [](std::string_view name) {
             return update_traits(name).writes && !update_traits(name).drops;
         });
     }},
    {"adding_updates",
     [] {
         return names_of_list(catalog::names<Updates>,
                              [](std::string_view name) { return update_traits(name).adds(); });
     }},
    {"dropping_updates",
     [] {
         return names_of_list(catalog::names<Updates>, [](std::string_view name) { return update_traits(name).drops; });
     }},
    {"publishing_guards",
     [] {
         return names_of_list(catalog::names<Guards>,
                              [](std::string_view name) { return guard_traits(name).publishes; });
     }},
};

Names names_where(bool (*has)(const SchemeTraits&)) {
    Names names;
    for (const SchemeTraits* const scheme : all_schemes()) {
        if (has(*scheme)) names.push_back(scheme->name);
    }
    return names;
}

/// "a, b and c".
std::string as_read(std::vector<std::string> names) {
    if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
    const std::string last = names.back();
    names.pop_back();
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

Names names_of_group(std::string_view word) {
    if (const auto* const of = std::ranges::find(kSchemeGroups, word, &SchemeGroup::word);
        of != std::end(kSchemeGroups))
        return names_where(of->has);
    if (const auto* const of = std::ranges::find(kGroups, word, &Group::word); of != std::end(kGroups))
        return of->names();
    throw Error(Failure::kUsage, fmt::format("nothing is named by '{{{}}}'", word),
                "engine/plan/name_places.cpp has no such group", "name one of its groups");
}

/// The names of a group, each with the option that stands before its word: "--step decays".
std::vector<std::string> named_by(std::string_view words) {
    const std::size_t blank = words.rfind(' ');
    const std::size_t at = blank == std::string_view::npos ? 0 : blank + 1;
    std::vector<std::string> names;
    for (const std::string_view name : names_of_group(words.substr(at)))
        names.push_back(fmt::format("{}{}", words.substr(0, at), name));
    return names;
}

/// What stands in a place, without its braces.
std::string filled(std::string_view place) {
    if (place.ends_with(',')) return fmt::format("{}", fmt::join(named_by(place.substr(0, place.size() - 1)), ", "));
    const std::size_t one = place.find('|');
    const std::vector<std::string> names = named_by(place.substr(0, one));
    if (one == std::string_view::npos) return as_read(names);
    const std::size_t several = place.find('|', one + 1);
    const std::string_view verb =
        names.size() == 1 ? place.substr(one + 1, several - one - 1) : place.substr(several + 1);
    return fmt::format("{} {}", as_read(names), verb);
}

} // namespace

std::string schemes_where(bool (*has)(const SchemeTraits&)) {
    const Names names = names_where(has);
    return as_read({names.begin(), names.end()});
}

std::string with_names(std::string_view text) {
    std::string whole;
    while (!text.empty()) {
        const std::size_t open = text.find('{'), close = text.find('}', open);
        if (close == std::string_view::npos) break;
        const std::string_view place = text.substr(open + 1, close - open - 1);
        whole += text.substr(0, open);
        whole += place.empty() ? "{}" : filled(place);
        text.remove_prefix(close + 1);
    }
    return whole.append(text);
}

} // namespace hogwild
