#include "experiments/folder/run_key.h"

#include "engine/machine/content_hash.h"
#include "engine/plan/plan.h"

#include <fmt/format.h>

namespace hogwild {

std::string asked_text(const std::optional<TargetOption>& target, bool optimum) {
    return (target ? to_string(*target) : "none") + (optimum ? " optimum" : "");
}

std::string run_key(const Plan& plan, const Dataset& train, const Dataset* test, const std::string& asked) {
    const std::string text = fmt::format("{:016x} {:016x} {:016x} {}", hash(plan), train.content_hash(),
                                         test != nullptr ? test->content_hash() : 0, asked);
    return fmt::format("{:016x}", content_hash(text));
}

} // namespace hogwild
