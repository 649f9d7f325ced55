#include "experiments/sweep/dry_run.h"

#include "engine/machine/cores.h"
#include "engine/numbers.h"
#include "engine/plan/plan.h"
#include "experiments/cost/estimate.h"
#include "experiments/files/durable.h"
#include "experiments/sweep/folder/sweep_folder.h"
#include "experiments/sweep/spec/paper_runs.h"
#include "experiments/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace hogwild {
namespace {

/// Runs of one kind: how many there are, and how many of them are yet to do.
struct Count {
    std::size_t all = 0, left = 0;
};

class DryRun {
public:
    DryRun(const SweepOptions& options, const Spec& spec, const std::filesystem::path& folder)
        : options_(options), spec_(spec), folder_(folder), seeds_(seeds_of(spec, options.shard)) {
        if (std::filesystem::is_directory(folder)) journal_.emplace(folder);
    }

    std::string text() {
        std::string text;
        std::set<std::string> said;
        const auto say = [&](const std::string& note) {
            if (said.insert(note).second) text += note + '\n';
        };
        for (const MissingData& missing : spec_.left_out) say(missing.note);
        for (const std::string& note : old_spellings(spec_)) say(note);
        for (const std::string& note : idle_conditions(spec_)) say(note);
        PaperRuns papers(spec_.papers);
        for (const auto& settings : by_samples(cases(spec_))) {
            const SweepInputs swept(
                settings, [&](const Case& each) { return candidates(spec_, each); }, spec_.candidates);
            for (const std::string& note : swept.notes()) say(note);
            for (const Combination& combination : swept.combinations()) {
                text += line_of(swept, combination);
                for (const Candidate& each : combination.candidates) papers.add(each.plan, swept.train().name());
            }
        }
        for (const std::string& note : papers.notes()) say(note);
        return text + summary();
    }

private:
    std::string line_of(const SweepInputs& swept, const Combination& combination) {
        const Plan& plan = combination.candidates[0].plan;
        const double each = predicted_seconds(plan, swept.train().view(), core_budget().usable);
        const Count trials = trials_of(swept, combination), finals = finals_of(swept, combination);
        trials_.all += trials.all;
        trials_.left += trials.left;
        finals_.all += finals.all;
        finals_.left += finals.left;
        seconds_ += each * static_cast<double>(trials.left + finals.left);
        ++combinations_;
        return fmt::format("  {}: {} + {} x {}\n", describe(plan, swept.network()),
                           trials.all == 0 ? "no trials" : fmt::format("{} trials", trials.all), finals.all,
                           human_seconds(each));
    }

    Count trials_of(const SweepInputs& swept, const Combination& combination) const {
        Count count;
        const bool chooses = combination.candidates.size() > 1 || spec_.screen;
        if (!chooses || options_.shard.of > 1) return count; // nothing to choose; done before
        std::size_t alive = combination.candidates.size(), done = 0;
        for (const std::string& seed : spec_.tuning_seeds) {
            count.all += alive;
            std::size_t of_seed = 0;
            for (const Candidate& candidate : combination.candidates)
                of_seed += is_done(swept, candidate, parse_count(seed).value()) ? 1 : 0;
            done += std::min(alive, of_seed); // which ones are left, the trials say
            if (spec_.halve) alive = (alive + 1) / 2;
        }
        count.left = count.all - done;
        return count;
    }

    /// Final runs are some of the candidates': which, the trials say.
    Count finals_of(const SweepInputs& swept, const Combination& combination) const {
        Count count;
        if (options_.tune_only) return count;
        const std::size_t each =
            std::min(spec_.finalists_of(combination.candidates[0].plan.scheme), judged(combination.candidates.size()));
        for (const std::uint64_t seed : seeds_) {
            const auto done = static_cast<std::size_t>(std::ranges::count_if(
                combination.candidates, [&](const Candidate& candidate) { return is_done(swept, candidate, seed); }));
            count.all += each;
            count.left += each - std::min(each, done);
        }
        return count;
    }

    /// How many of so many candidates all tuning seeds try.
    std::size_t judged(std::size_t candidates) const {
        for (std::size_t seed = 1; spec_.halve && seed < spec_.tuning_seeds.size(); ++seed)
            candidates = (candidates + 1) / 2;
        return candidates;
    }

    bool is_done(const SweepInputs& swept, const Candidate& candidate, std::uint64_t seed) const {
        if (!journal_) return false;
        Plan plan = candidate.plan;
        plan.seed = seed;
        const std::string key = swept.key(plan);
        const auto known = journal_->done().find(key);
        return known != journal_->done().end() && !journal_->is_open(key) &&
               lacks_of_sweep_run(folder_ / known->second.run).empty() &&
               !wants_again(known->second, options_.runner.rerun);
    }

    std::string summary() const {
        const std::size_t all = trials_.all + finals_.all, left = trials_.left + finals_.left;
        const std::string done = left < all ? fmt::format("of which {} are done, ", all - left) : "";
        const char* most = spec_.screen && !options_.tune_only ? "at most " : ""; // which schemes, the trials say
        return fmt::format("{} combination{}, {} trials and {}{} final runs, {}about {} (within a factor of two or "
                           "three{}){}, into {}\n",
                           combinations_, combinations_ == 1 ? "" : "s", trials_.all, most, finals_.all, done,
                           human_seconds(seconds_), spec_.extend > 0 ? ", if no grid grows" : "", sittings(),
                           folder_.string());
    }

    std::string sittings() const {
        const double each = options_.runner.stop_after;
        if (!(each < seconds_)) return "";
        return fmt::format(" in {:.0f} sittings of {}", std::ceil(seconds_ / each), human_seconds(each));
    }

    const SweepOptions& options_;
    const Spec& spec_;
    const std::filesystem::path& folder_;
    std::vector<std::uint64_t> seeds_;
    std::optional<Journal> journal_;
    Count trials_, finals_;
    std::size_t combinations_ = 0;
    double seconds_ = 0; // of what is left
};

} // namespace

int dry_run(const SweepOptions& options, const Spec& spec, const std::filesystem::path& folder) {
    print(printable(DryRun(options, spec, folder).text()));
    return kExitDone;
}

} // namespace hogwild
