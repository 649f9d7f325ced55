#include "experiments/sweep/shard.h"

#include "engine/error.h"
#include "engine/numbers.h"

#include <fmt/format.h>

namespace hogwild {

Shard parse_shard(const std::string& text) {
    const auto slash = text.find('/');
    const auto number = parse_count(std::string_view(text).substr(0, slash));
    const auto of = slash == std::string::npos ? std::nullopt : parse_count(std::string_view(text).substr(slash + 1));
    if (!number || !of || *number == 0 || *number > *of || *of > 10'000) {
        throw Error(Failure::kUsage, "--shard cannot be '" + text + "'", "it is no i/n with i from 1 to n",
                    "write it like 2/4");
    }
    return {static_cast<unsigned>(*number), static_cast<unsigned>(*of)};
}

std::vector<std::uint64_t> seeds_of(const Spec& spec, const Shard& shard) {
    std::vector<std::uint64_t> seeds;
    for (std::size_t i = shard.number - 1; i < spec.seeds.size(); i += shard.of)
        seeds.push_back(parse_count(spec.seeds[i]).value());
    if (seeds.empty()) {
        throw Error(Failure::kUsage, fmt::format("--shard {}/{} is empty", shard.number, shard.of),
                    fmt::format("there are {} final seeds, and a shard takes whole ones", spec.seeds.size()),
                    "take fewer shards, or more seeds");
    }
    return seeds;
}

std::string shard_file(const std::string& stem, const Shard& shard, const std::string& ending) {
    return shard.of == 1 ? stem + ending : fmt::format("{}-{}of{}{}", stem, shard.number, shard.of, ending);
}

} // namespace hogwild
