// What update policies and guards say of themselves, held against what they do.
#include "kernels/catalog.h"
#include "kernels/guards.h"
#include "kernels/worker_context.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

using namespace hogwild;

namespace {

/// What is left of a coordinate after one increment, tried once only.
template <class Update>
float after_one(float before, float increment, std::uint32_t tries) {
    WorkerContext context;
    context.cas_limit = tries;
    Update(context).add(before, increment);
    return before;
}

template <class... Update>
void check_updates(const std::variant<Update...>*) {
    const auto check = []<class U>(U*) {
        CAPTURE(U::name);
        CHECK((after_one<U>(1, 2, 1) == 3) == U::kTraits.writes);
        CHECK((after_one<U>(1, 2, 0) == 1) == (U::kTraits.drops || !U::kTraits.writes));
    };
    (check(static_cast<Update*>(nullptr)), ...);
}

} // namespace

TEST_CASE("a policy writes, or drops what meets contention, as it says") {
    check_updates(static_cast<const Updates*>(nullptr));
}

TEST_CASE("a policy's row is that of its name") {
    const auto says = [](std::string_view name) {
        const UpdateTraits& update = update_traits(name);
        return std::string(update.writes ? "w" : "-") + (update.atomic ? "a" : "-") + (update.drops ? "d" : "-") +
               (update.on_gpu ? "g" : "-");
    };
    CHECK(says("racy") == "w--g");
    CHECK(says("atomic") == "wa-g");
    CHECK(says("cas-bounded") == "wad-");
    CHECK(says("noop") == "---g");
}

TEST_CASE("a guard's row is that of its name") {
    using Locks = GuardTraits::Locks;
    CHECK(!guard_traits("none").orders);
    CHECK(!guard_traits("counted").orders);
    for (const char* guard : {"locked", "locked-read", "global-lock", "publish", "in-turn"}) {
        CAPTURE(guard);
        CHECK(guard_traits(guard).orders);
        CHECK(guard_traits(guard).alone == (std::string_view(guard) == "locked-read"));
        CHECK(guard_traits(guard).publishes == (std::string_view(guard) == "publish"));
        CHECK(guard_traits(guard).is_choice == (std::string_view(guard) != "in-turn"));
    }
    CHECK(guard_traits("locked").locks == Locks::kStriped);
    CHECK(guard_traits("locked-read").locks == Locks::kStriped);
    CHECK(guard_traits("global-lock").locks == Locks::kOne);
    CHECK(guard_traits("publish").locks == Locks::kNone);
}
