// Defaults that follow from other choices of the plan alone; those of problem, scheme and data are in experiments/plans/defaults.h.
//
// Thread-safety: pure functions, but for `suit_placement`, which sets its plan. Preconditions: the plan's names are known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// The memory that a device's workers are fastest on: "host" for cpu, "device" for gpu, "replica" for both.
std::string home_of(std::string_view device);

/// The cores. Beside a GPU it is one fewer for every stream and for a replica's bridge, whose threads take one. One
/// more is left for the rest of the system.
unsigned usual_threads(const Plan& plan, unsigned cores);

inline constexpr std::uint32_t kHotOfThreads = 256, kHotOfGroups = 8192;
inline constexpr std::uint32_t kHotOfBlocks = 64, kBlocksOfHot = 100; // of so many blocks, and more

/// Samples between two exchanges of increments: so many of all workers together, of each no fewer and no more than these. Increments
/// are stale by what all step through meanwhile, whatever their number.
struct UsualExchange {
    std::uint32_t together, least, most;
};
inline constexpr UsualExchange kExchangeOfRows{512, 16, 128}; // and of networks
inline constexpr UsualExchange kExchangeOfGroups{
    16'384, 256, 4'096}; // a step takes a few nonzeros' time, and touches hot groups seldom
inline constexpr UsualExchange kExchangeOfWindows{4'096, 64, 1'024}; // a step takes long
inline constexpr std::uint32_t kExchangeOfThinned = 4;

inline constexpr std::uint32_t kStreamsOfTeams = 1, kBlocksOfTeams = 32; // a GPU's, of networks

/// Steps of a network's workers at once, of which a GPU's teams count so many each, are together no larger than this. Found for LeNet
/// on MNIST. At twice that, gradients that are late by so many steps cost accuracy; from four times on they lead astray.
inline constexpr double kMostStepAtOnce = 0.4, kStepsOfTeam = 2;

/// Epochs over which steps of networks and of squared losses rise. A network's first steps go over its steepest losses; where they are
/// late, at full size, some runs learn nothing at all.
inline constexpr double kUsualWarmUp = 0.2;

/// The hot coordinates where nothing is said. Threads whose increments of them are not direct have theirs, of groups more. Blocks of a
/// GPU copy the few that make increments wait for each other, where there are enough blocks. Samples that hold every column
/// (`dense_columns` of them, else 0) have all copied or none.
std::uint32_t usual_hot(const Plan& plan, std::uint32_t dense_columns = 0);

/// beta2 of each optimiser that has one: "0.99 and 0.999".
std::string usual_beta2s();

/// Where coordinates lie where nothing is said. The hot ones lie together where blocks copy them or replicas exchange
/// them. Otherwise coordinates are scattered where a GPU steps on sparse rows.
std::string usual_placement(const Plan& plan, std::uint32_t dense_columns = 0);

/// Where a placement of hot coordinates is asked for on threads, and not of how many, of as many as they have by default.
void suit_placement(Plan& plan);

} // namespace hogwild
