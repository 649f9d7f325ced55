#include "engine/plan/scheme_words.h"

#include "engine/error.h"

#include <algorithm>
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

Names names_where(bool (*has)(const SchemeTraits&)) {
    Names names;
    for (const SchemeTraits* const scheme : all_schemes()) {
        if (has(*scheme)) names.push_back(scheme->name);
    }
    return names;
}

/// "a, b and c".
std::string as_read(Names names) {
    if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
    const std::string_view last = names.back();
    names.pop_back();
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

Names names_of_group(std::string_view word) {
    const auto* const group = std::ranges::find(kSchemeGroups, word, &SchemeGroup::word);
    if (group == std::end(kSchemeGroups)) {
        throw Error(Failure::kUsage, fmt::format("no schemes are named by '{{{}}}'", word),
                    "engine/plan/scheme_words.cpp has no such group", "name one of its groups");
    }
    return names_where(group->has);
}

/// What stands in a place, without its braces.
std::string filled(std::string_view place) {
    if (place.ends_with(','))
        return fmt::format("{}", fmt::join(names_of_group(place.substr(0, place.size() - 1)), ", "));
    const std::size_t one = place.find('|');
    const Names names = names_of_group(place.substr(0, one));
    if (one == std::string_view::npos) return as_read(names);
    const std::size_t several = place.find('|', one + 1);
    const std::string_view verb =
        names.size() == 1 ? place.substr(one + 1, several - one - 1) : place.substr(several + 1);
    return fmt::format("{} {}", as_read(names), verb);
}

} // namespace

std::string schemes_where(bool (*has)(const SchemeTraits&)) { return as_read(names_where(has)); }

std::string with_schemes(std::string_view text) {
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
