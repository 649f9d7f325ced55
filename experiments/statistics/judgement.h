// What an interval of a ratio of costs allows to say.
//
//   SAME       the whole interval lies within 5 %: between 1 / 1.05 and 1.05
//   FASTER     else, the whole interval lies below 1: B costs less than A
//   SLOWER     else, it lies above 1
//   UNDECIDED  else
//
// Thread-safe: pure functions.
#pragma once

#include "experiments/statistics/ratio_interval.h"

#include <string_view>

namespace hogwild {

enum class Judgement { kFaster, kSlower, kSame, kUndecided };

inline constexpr double kSameWithin = 1.05;

constexpr Judgement judge(const RatioInterval& of) {
    if (of.low >= 1 / kSameWithin && of.high <= kSameWithin) return Judgement::kSame;
    if (of.high < 1) return Judgement::kFaster;
    return of.low > 1 ? Judgement::kSlower : Judgement::kUndecided;
}

constexpr std::string_view name(Judgement judgement) {
    switch (judgement) {
    case Judgement::kFaster: return "FASTER";
    case Judgement::kSlower: return "SLOWER";
    case Judgement::kSame: return "SAME";
    case Judgement::kUndecided: break;
    }
    return "UNDECIDED";
}

} // namespace hogwild
