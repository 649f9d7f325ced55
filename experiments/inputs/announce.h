// What is said on standard error before runs begin: the data, the defaults that were taken, the order.
#pragma once

#include "engine/data/load.h"
#include "engine/machine/cores.h"
#include "experiments/inputs/pairing.h"
#include "experiments/options/axes.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct Inputs; // experiments/inputs/inputs.h
struct Plan;   // engine/plan/plan.h

class Announce {
public:
    /// Says nothing unless `wanted`.
    explicit Announce(bool wanted) : wanted_(wanted) {}

    void data(std::string_view role, const Dataset& data, const LoadReport& report) const;

    /// Of what is trained on: the data, with the columns that it was given; what labels became, and the warning of one label.
    void train(const Inputs& inputs) const;

    /// Says what labels became where they were not -1 and +1, those of a test where they are others.
    void became(const LoadReport& train, const LoadReport& test) const;

    /// Warns of samples that all have one label, even when nothing else is wanted.
    void labels(const Dataset& data) const;

    /// Whether the columns of the test set are those that were trained: a warning is said even when nothing else is wanted.
    void pairing(const Pairing& pairing) const;

    /// For each (problem, scheme), what the command line left open.
    void defaults(const Axes& axes, const std::vector<Plan>& plans) const;

    /// Warnings about more workers than cores: said even when nothing else is wanted.
    void capped(const std::vector<Plan>& plans, const CoreBudget& budget) const;
    void oversubscription(const std::vector<Plan>& plans, const CoreBudget& budget) const;

    /// Warns when others were using the cores: load is the average over the last minute.
    void busy(double load, const CoreBudget& budget) const;

    void without_effect(const Axes& axes, const std::vector<Plan>& plans) const;

    void long_warm_ups(const std::vector<Plan>& plans) const;
    void whole_batches(const std::vector<Plan>& plans, std::uint64_t rows) const;

    void start(std::size_t runs, bool in_order, bool warm_up, const std::filesystem::path& folder) const;

    void lines(const std::vector<std::string>& lines) const;

private:
    bool wanted_;
};

/// What labels became, a line for each of the two that has something to say.
std::vector<std::string> became_lines(const LoadReport& train, const LoadReport& test);

/// "400 samples, 100 columns, 3,200 nonzeros", in the words of the samples.
std::string shape_text(const AnyView& view);

/// "defaults of hinge minibatch: --step decay --step-size 64 ..." for every default taken; empty when none was.
std::vector<std::string> default_lines(const Axes& axes, const std::vector<Plan>& plans);

/// A line for each axis that was given on the command line and means nothing for any of the plans.
std::vector<std::string> idle_lines(const Axes& axes, const std::vector<Plan>& plans);

/// A line for each warm-up that a run of some plan is over before.
std::vector<std::string> long_warm_up_lines(const std::vector<Plan>& plans);

/// A line for each batch of some plan that holds all `rows` samples.
std::vector<std::string> whole_batch_lines(const std::vector<Plan>& plans, std::uint64_t rows);

} // namespace hogwild
