// What a column of ratings is by its name: the user, the item, the rating or something else.
//
// A name is known as a whole (user_id, "Movie ID", score, item:token), else by its words (item_code, "rating given").
// Thread-safe: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace hogwild {

enum class Role { kUser, kItem, kRating, kOther, kUnknown };

inline constexpr std::size_t kRoles = 3; // those that are taken

struct Naming {
    Role role = Role::kUnknown;     // of the whole name; kOther also where one of its words says so
    std::array<bool, kRoles> may{}; // of an unknown one: what its words speak of

    explicit Naming(std::string_view name);
};

} // namespace hogwild
