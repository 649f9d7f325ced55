// Fields of a record that was read from disk. A hash that fits says that a record is as it was written, not that it makes sense.
//
// Thread-safety: pure functions. Errors: OddRecord for a record that is no object, a field that is missing, or one of
// another kind. Its text is a reason, such as "its 'time' is 3, not a text"; the caller knows file and line.
#pragma once

#include "experiments/text/json_fwd.h"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace hogwild {

struct OddRecord : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::string text_field(const Json& record, const char* name);

/// A whole number, 0 or more.
std::uint64_t whole_field(const Json& record, const char* name);

/// A finite number.
double number_field(const Json& record, const char* name);

/// The same, or nothing where it is null or missing.
std::optional<double> optional_number_field(const Json& record, const char* name);

const Json& object_field(const Json& record, const char* name);
const Json& list_field(const Json& record, const char* name);

} // namespace hogwild
