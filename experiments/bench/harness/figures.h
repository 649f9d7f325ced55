// What the rows of a benchmark program measured: every repetition of every figure, and the tables made of them.
//
// A figure is summed up by its median. A ratio of two rows is given for the medians and for the best repetitions. The
// second is the steadier on a busy machine, and a claim should hold by both.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hogwild {

class Figures {
public:
    void add(const std::string& row, const std::string& figure, double value);

    /// None when the row was not run or has no such figure.
    std::optional<double> median(const std::string& row, const std::string& figure) const;
    std::optional<double> best(const std::string& row, const std::string& figure) const; // the largest

    /// The names of all rows, in alphabetical order.
    std::set<std::string> names() const;

    /// (largest - smallest) / median.
    std::optional<double> spread(const std::string& row, const std::string& figure) const;

private:
    const std::vector<double>* find(const std::string& row, const std::string& figure) const;

    std::map<std::string, std::map<std::string, std::vector<double>>> values_;
};

/// A claim: the rate of one row over that of another, and how much it should be.
struct Ratio {
    std::string what;
    std::string above;
    std::string below;
    std::optional<double> at_least;
};

/// One line a row that was run: time, rate and its spread, the other figures, the share of `ceiling` (a row's name; empty:
/// none).
std::string rows_table(const Figures& figures, const std::vector<std::string>& rows, const std::string& rate,
                       const std::string& ceiling);

/// One line a ratio; a row that was not run makes it `absent`.
std::string ratios_table(const Figures& figures, const std::vector<Ratio>& ratios, const std::string& rate);

/// Three digits and a unit: "1.15 G", "812 M", "0.35".
std::string scaled(double value);

inline constexpr const char* kSecondsFigure = "seconds";

} // namespace hogwild
