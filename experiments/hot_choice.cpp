#include "experiments/hot_choice.h"

#include "engine/data/column_use.h"
#include "engine/hot_updates.h"
#include "engine/machine/measure.h"
#include "experiments/numbers.h"
#include "experiments/sweep/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <functional>
#include <utility>

namespace hogwild {
namespace {

constexpr std::uint32_t kLine = 16; // coordinates

/// Of each line the share of samples that write it.
std::vector<double> line_shares(std::vector<float> touched) {
    std::ranges::sort(touched, std::greater{});
    std::vector<double> shares;
    for (std::size_t begin = 0; begin < touched.size(); begin += kLine) {
        double none = 1;
        for (std::size_t j = begin; j < std::min(begin + kLine, touched.size()); ++j) none *= 1 - double{touched[j]};
        shares.push_back(1 - none);
    }
    return shares;
}

std::string percent(double share) { return human(100 * share) + " %"; }

bool is_sparse(const AnyView& samples) {
    return samples.visit([]<class View>(const View&) { return std::same_as<View, SparseView>; });
}

} // namespace

HotChooser::HotChooser(std::vector<float> touched, double sample, std::optional<double> transfer)
    : columns_(static_cast<std::uint32_t>(touched.size())), sample_(sample), transfer_(transfer) {
    lines_ = line_shares(std::move(touched));
}

HotChoice HotChooser::of(unsigned workers) const {
    if (lines_.empty()) return {"direct", 0, "no sparse rows"};
    if (workers < 2) return {"direct", 0, "one worker's lines stay with its core"};
    if (!transfer_) return {"direct", 0, "lines stay on one usable core"};
    const double most = sample_ / (workers * *transfer_);
    const auto contended = std::ranges::lower_bound(lines_, most, std::greater{}) - lines_.begin();
    const std::string limit =
        fmt::format("more than {} of the samples write (a line comes from another core in {}, one worker takes {} "
                    "for a sample)",
                    percent(most), human_seconds(*transfer_), human_seconds(sample_));
    if (contended == 0)
        return {"direct", 0, fmt::format("there is no line that {}; the hottest {}", limit, percent(lines_[0]))};
    return {"replicated", std::min(static_cast<std::uint32_t>(contended) * kLine, columns_),
            fmt::format("{} line{} that {}; the hottest {}", contended, contended == 1 ? "" : "s", limit,
                        percent(lines_[0]))};
}

HotChooser hot_chooser(const std::vector<std::string>& asked, const AnyView& samples) {
    if (std::ranges::find(asked, "auto") == asked.end() || !is_sparse(samples)) return {};
    Plan alone;
    alone.scheme = "serial";
    const auto nanoseconds = measure_line_transfer_ns();
    return {column_use(samples.as<SparseView>()).touched, predicted_sample_seconds(alone, samples),
            nanoseconds ? std::optional(*nanoseconds * 1e-9) : std::nullopt};
}

std::map<unsigned, HotChoice> chosen(const std::vector<std::string>& asked, const HotChooser& hot,
                                     const std::vector<Plan>& plans) {
    std::map<unsigned, HotChoice> choices;
    if (std::ranges::find(asked, "auto") == asked.end()) return choices;
    for (const Plan& plan : plans) {
        if (may_choose_hot(plan)) choices.emplace(plan.threads, hot.of(plan.threads));
    }
    return choices;
}

std::vector<std::string> lines_of(const std::map<unsigned, HotChoice>& choices) {
    std::vector<std::string> lines;
    for (const auto& [workers, choice] : choices) {
        const std::string what =
            choice.hot > 0 ? fmt::format("{} --hot {}", choice.updates, choice.hot) : choice.updates;
        lines.push_back(fmt::format("--hot-updates auto of {} thread{}: {} ({})", workers, workers == 1 ? "" : "s",
                                    what, choice.why));
    }
    return lines;
}

bool may_choose_hot(Plan plan) {
    plan.hot_updates = "replicated";
    plan.hot = kLine;
    plan.placement = "hottest";
    return why_not_hot_updates(plan).empty();
}

} // namespace hogwild
