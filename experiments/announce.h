// What is said on standard error before runs begin: the data, the defaults that were taken, the order.
#pragma once

#include "engine/data/load.h"
#include "engine/machine/cores.h"
#include "engine/plan.h"
#include "experiments/axes.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

class Announce {
public:
    /// Says nothing unless `wanted`.
    explicit Announce(bool wanted) : wanted_(wanted) {}

    void data(std::string_view role, const Dataset& data, const LoadReport& report) const;

    /// For each (problem, scheme), what the command line left open.
    void defaults(const Axes& axes, const std::vector<Plan>& plans) const;

    /// Warnings about more workers than cores: said even when nothing else is wanted.
    void capped(const CoreBudget& budget) const;
    void oversubscription(const std::vector<Plan>& plans, const CoreBudget& budget) const;

    /// Warns when others were using the cores: load is the average over the last minute.
    void busy(double load, const CoreBudget& budget) const;

    /// A line for each axis that was given on the command line and means nothing for any of the plans.
    void without_effect(const Axes& axes, const std::vector<Plan>& plans) const;

    void start(std::size_t runs, bool in_order, bool warm_up, const std::filesystem::path& folder) const;

    void lines(const std::vector<std::string>& lines) const;

private:
    bool wanted_;
};

/// "defaults of hinge minibatch: --step decay --step-size 64 ..." for every default taken; empty when none was.
std::vector<std::string> default_lines(const Axes& axes, const std::vector<Plan>& plans);

} // namespace hogwild
