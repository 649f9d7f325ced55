// The values that an experiment's axes are given (engine/plan/axes.h): each holds one or more, their product is run.
//
// Grammar of a list: values separated by commas, or brackets that stand for several (experiments/options/lists.h). Threads may be
// ranges that double, `1..16` is 1,2,4,8,16, and `all`: powers of two up to the usable cores, and all of them. Seeds may be ranges
// that count, `1..5`. L2 takes `1/n` for one over the number of training samples.
// Errors: Error (Failure::kUsage) that names the option, the value and what is possible.
#pragma once

#include "engine/plan/axis.h"
#include "experiments/options/lists.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hogwild {

/// Values of an axis, by the kind of its field.
using Values = std::variant<std::vector<std::string>, std::vector<std::uint64_t>, std::vector<Real>>;

class Axes {
public:
    /// Every axis has the list that is taken where none is given; one whose default depends on other choices has none.
    Axes();

    /// Those of the axis of this name, names or texts, whole numbers, numbers. Precondition: its field is of this kind.
    std::vector<std::string>& texts(std::string_view axis) { return of<std::string>(axis); }
    std::vector<std::uint64_t>& counts(std::string_view axis) { return of<std::uint64_t>(axis); }
    std::vector<Real>& reals(std::string_view axis) { return of<Real>(axis); }
    const std::vector<std::string>& texts(std::string_view axis) const { return of<std::string>(axis); }
    const std::vector<std::uint64_t>& counts(std::string_view axis) const { return of<std::uint64_t>(axis); }
    const std::vector<Real>& reals(std::string_view axis) const { return of<Real>(axis); }

    /// Those of any axis. Errors: no axis has the name.
    Values& values(std::string_view axis);
    const Values& values(std::string_view axis) const;

    /// Whether nothing was given where the default depends on other choices.
    bool open(std::string_view axis) const;

    std::map<std::string, std::vector<double>, std::less<>> parameters; // of models (kernels/parameters.h), by name

    unsigned cores = 1;      // that runs may use
    unsigned node_cores = 0; // that share a node (engine/workers/placement.h); 0: those of this machine

    /// The options that were given, as they are typed: "--update". What was asked for by name and has no effect is said.
    std::set<std::string, std::less<>> given;

private:
    template <class T>
    std::vector<T>& of(std::string_view axis) {
        return std::get<std::vector<T>>(values(axis));
    }
    template <class T>
    const std::vector<T>& of(std::string_view axis) const {
        return std::get<std::vector<T>>(values(axis));
    }

    std::map<std::string, Values, std::less<>> lists_;
};

/// What the text gives the axis, by its grammar. `cores`: usable ones, and those of a node.
struct CoreCounts {
    unsigned usable, node;
};
Values parse_values(const Axis& axis, std::string_view option, std::string_view text, CoreCounts cores);

/// `option` is named in errors, as the user typed it: "--threads".
std::vector<double> real_list(std::string_view option, std::string_view text);
std::vector<std::uint64_t> count_list(std::string_view option, std::string_view text);
std::vector<std::uint64_t> seed_list(std::string_view option, std::string_view text);
std::vector<std::uint64_t> thread_list(std::string_view option, std::string_view text, unsigned usable_cores);

/// Workers that share a model: numbers, core for 1, node for the cores of a node (engine/workers/placement.h), machine for all.
std::vector<std::uint64_t> cluster_list(std::string_view option, std::string_view text, unsigned node_cores);

/// Numbers of threads above `usable_cores` become that, each number once. True when one was.
bool cap_threads(std::vector<std::uint64_t>& threads, unsigned usable_cores);

} // namespace hogwild
