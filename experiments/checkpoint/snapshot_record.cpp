#include "experiments/checkpoint/snapshot_record.h"

#include "engine/run/earlier_part.h"
#include "experiments/files/record_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace hogwild {
namespace {

constexpr std::uint64_t kMostTries = 1 << 20; // more than any copy takes

/// JSON has no numbers that are not finite, and a loss may be one.
Json as_words(std::span<const double> losses) {
    Json words = Json::array();
    for (const double loss : losses) words.push_back(fmt::format("{}", loss));
    return words;
}

std::vector<double> of_words(const Json& words) {
    std::vector<double> losses;
    for (const Json& word : words) {
        double& loss = losses.emplace_back();
        const std::string text = word.is_string() ? word.get<std::string>() : "";
        const char* const last = text.data() + text.size();
        if (const auto [end, fault] = std::from_chars(text.data(), last, loss); fault != std::errc{} || end != last)
            throw OddRecord(fmt::format("loss {} is no number", losses.size()));
    }
    return losses;
}

void demand(const std::string& why_not) {
    if (!why_not.empty()) throw OddRecord(why_not);
}

} // namespace

Json json_of(const Snapshot& snapshot, const Json& part, std::span<const double> losses,
             const std::string& values_hash) {
    return {{"observation", snapshot.number}, {"part", part},
            {"updates", snapshot.updates},    {"consumed", snapshot.consumed},
            {"scale", snapshot.scale},        {"seconds", snapshot.seconds},
            {"ended", snapshot.ended},        {"copy_seconds", snapshot.copy_seconds},
            {"tries", snapshot.tries},        {"losses", as_words(losses)},
            {"values", values_hash}};
}

SnapshotRecord snapshot_record(const Json& json) {
    SnapshotRecord record;
    record.snapshot.number = whole_field(json, "observation");
    record.snapshot.taken = true;
    record.snapshot.seconds = number_field(json, "seconds");
    record.snapshot.ended = number_field(json, "ended");
    record.snapshot.copy_seconds = number_field(json, "copy_seconds");
    record.snapshot.tries = static_cast<int>(std::min(whole_field(json, "tries"), kMostTries));
    record.snapshot.updates = whole_field(json, "updates");
    record.snapshot.consumed = whole_field(json, "consumed");
    record.snapshot.scale = number_field(json, "scale");
    record.part = object_field(json, "part");
    record.losses = of_words(list_field(json, "losses"));
    record.values_hash = text_field(json, "values");
    return record;
}

void SnapshotRecords::check_next(const SnapshotRecord& record) {
    const std::uint64_t number = record.snapshot.number;
    demand(why_not_taken(plan_, rows_, record.snapshot));
    demand(why_not_decided(plan_, rows_, record.snapshot, record.losses));
    if (seen_.empty() && number != 0)
        throw OddRecord(fmt::format("it is observation {}, and none of observation 0 came before", number));
    if (!seen_.insert(number).second) throw OddRecord(fmt::format("observation {} came before", number));
    const std::uint64_t part = whole_field(record.part, "number");
    if (part != part_ && part != part_ + 1)
        throw OddRecord(fmt::format("it is of part {}, and comes after part {}", part, part_));
    part_ = part;
}

} // namespace hogwild
