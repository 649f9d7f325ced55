// An axis: one choice of a run, with all that is known of it. Its row is the only place that lists it.
//
// From the rows follow, by loops:
// - the options of the command line, the check of a plan, its text and hash,
// - products of values, and which choices collapse,
// - the description of a run, columns of summary.csv and of the table,
// - notes on options without effect, and on defaults,
// - the keys of sweep files, `hogwild schema` and the reference page.
//
// Thread-safety: rows are constants; their functions are pure.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hogwild {

struct Plan;

/// The field of a plan that an axis sets; none: it changes what another axis sets.
using TextField = std::string& (*)(Plan&);
using CountField = std::uint32_t& (*)(Plan&);
using SeedField = std::uint64_t& (*)(Plan&);
using RealField = double& (*)(Plan&);
using Field = std::variant<std::monostate, TextField, CountField, SeedField, RealField>;

/// A number as it is asked for: of itself, or times 1/n once the number of samples is known ("1/n", "1000samples").
struct Real {
    double value = 0;
    bool over_rows = false;

    constexpr Real() = default;
    constexpr Real(double number, bool of_rows = false) : value(number), over_rows(of_rows) {}
    friend bool operator==(const Real&, const Real&) = default;
};

/// Values by the names of their axes.
using Spelling = std::vector<std::pair<std::string_view, std::string>>;

/// One value of an axis: a name or text, a whole number, a number.
using Value = std::variant<std::string, std::uint64_t, Real>;

/// Where a number lies, [least, most], without its ends where they are open; what to say of one that does not, and what to try.
struct Range {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    enum class Open { kNone, kBelow, kAbove } open = Open::kNone;
    const char* why = "";
    const char* attempt = "";

    constexpr bool holds(double value) const {
        return (open == Open::kBelow ? value > least : value >= least) &&
               (open == Open::kAbove ? value < most : value <= most);
    }
};

struct Axis {
    /// What its option stands among.
    enum class Group { kRun, kGpu, kOne }; // kOne: one value for every run

    /// How its values are typed.
    enum class Grammar { kPlain, kThreads, kCluster, kSeeds, kOneOverRows, kWarmUp, kAboveZero };

    /// What must be decided before it: a product takes the stages in this order, and sets between them what depends on them.
    enum class Stage {
        kProblem,
        kOptimizer,
        kBeta2,
        kDevice,
        kMemory,
        kUpdate,
        kStreams,
        kThreads,
        kHotUpdates,
        kHot,
        kPlacement,
        kOrder,
        kStep,
        kCluster,
        kL2,
        kScale,
        kEpochs
    };

    /// What becomes of it in a plan for which it means nothing: its default, before the meaning of others is looked at or after; nothing.
    enum class Idle { kDefault, kDefaultFirst, kStays };

    /// When the final table has a column of it.
    enum class Shown { kNever, kAlways, kIfAny, kIfVaried, kIfAnyOrVaried };

    /// What it is to who compares runs. It is what is minimised, the method, where and with how many it runs, a setting
    /// of the method, or which repeat it is.
    enum class Role { kObjective, kMethod, kPlace, kSetting, kRepeat };

    /// What tuning does with it.
    /// kChoice: it chooses among the values that are named.
    /// kFine: it chooses how finely a run steps. Folders are compared whatever they have of it, since each may have been tuned.
    /// Lists of it may grow, where its range has no end to run into (`may_grow`).
    /// kFixed: nothing. It changes what is minimised, for how long, or what a gradient costs.
    enum class Tuning { kChoice, kFine, kFixed };

    /// A part of the sentence that describes a run; parts stand in the order of `place`, tens apart. An empty text: nothing is said.
    struct Sentence {
        int place = 0;
        std::string (*text)(const Plan&) = nullptr;
    };

    /// A column of the final table; columns stand in the order of `place`. `among`: who must be there for it, those it applies to
    /// where none is named. `cell`: its value where none is named.
    struct TableColumn {
        int place = 0;
        Shown shown = Shown::kNever;
        const char* title = "";
        std::string (*cell)(const Plan&) = nullptr;
        bool (*among)(const Plan&) = nullptr;
        bool right = false;
    };

    /// Its default is said before the runs; defaults stand in the order of `place`, tens apart; 0: it is not said. `among`: the plans
    /// of which it is said, those it applies to where none is named. `text`: its option and value where none is named.
    struct Announced {
        int place = 0;
        bool (*among)(const Plan&) = nullptr;
        std::string (*text)(const Plan&) = nullptr;
    };

    std::string_view
        name; // of its column and in a plan's text: "exchange_doublings"; its option is --exchange-doublings
    Field field{};
    std::string_view help{}; // each {} in it stands for a default, each {guards} for names (name_places.h)
    std::vector<std::string> (*defaults)() = nullptr; // these, one after another; null: a plan's own for each
    Stage stage = Stage::kProblem;
    Group group = Group::kRun;
    Role role = Role::kSetting;
    Tuning tuning = Tuning::kChoice;
    Grammar grammar = Grammar::kPlain;
    std::string_view typed{};                                // what a value looks like in the help; empty: its names
    std::span<const std::string_view> (*names)() = nullptr;  // all that it can be, where it is a name
    std::string_view also{};                                 // a name that stands for a choice among them: "auto"
    Spelling (*respelled)(std::string_view value) = nullptr; // what an old name of values is today; none: it is no such
    std::string_view option{};                               // where it is not --name
    std::string_view usual{}; // the list that is taken where none is given; empty: its default
    bool depends = false;     // its default depends on the problem, the scheme, the device or the data
    Range range{};
    void (*check)(const Plan&) = nullptr; // what else can be wrong. Throws Error (Failure::kUsage).
    void (*put)(Plan&, const Value&, double one_over_rows) = nullptr; // where a value is more than its field

    bool (*applies)(const Plan&) = nullptr; // null: always
    std::string_view idle_note{}; // why it has no effect where it does not apply; with {guards} as in the help
    Idle idle = Idle::kDefault;
    void (*settle)(Plan&) = nullptr; // once all that does not apply has its default

    int text_place = 0;                                // in a plan's text, on which its hash depends; 0: not there
    bool (*written)(const Plan&) = nullptr;            // null: always
    std::string (*text)(const Plan&) = nullptr;        // there; null: its value
    void (*read)(Plan&, const std::string&) = nullptr; // what `text` wrote; null: its value
    bool column = true;                                // summary.csv has one
    bool (*has_cell)(const Plan&) = nullptr;           // null: where it applies
    std::string (*cell)(const Plan&) = nullptr;        // null: its value
    Sentence sentence{};
    TableColumn table{};
    Announced announced{};
};

/// Whether it means something for the plan. Precondition: the plan's names are known.
inline bool applies(const Axis& axis, const Plan& plan) { return axis.applies == nullptr || axis.applies(plan); }

/// Whether a list of it may go on beyond its largest value: no decay may be above 1.
constexpr bool may_grow(const Axis& axis) {
    return axis.tuning == Axis::Tuning::kFine && axis.range.most >= std::numeric_limits<double>::max();
}

/// "--exchange-doublings".
std::string option_of(const Axis& axis);

/// Whether its values are whole numbers.
constexpr bool is_count(const Axis& axis) {
    return std::holds_alternative<CountField>(axis.field) || std::holds_alternative<SeedField>(axis.field);
}

/// What the plan has of it. Precondition: it has a field.
Value value_of(const Axis& axis, const Plan& plan);

/// Sets it. Precondition: the value is of its field's kind.
void put(const Axis& axis, Plan& plan, const Value& value, double one_over_rows = 1);

/// Gives it the default that a plan has.
void reset(const Axis& axis, Plan& plan);

/// As a plan's text has it: the shortest that reads back as the same value.
std::string written(const Value& value);

} // namespace hogwild
