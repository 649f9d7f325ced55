#include "experiments/files/record_fields.h"

#include "experiments/text/json.h"

#include <fmt/format.h>

#include <cmath>

namespace hogwild {
namespace {

constexpr std::size_t kMostShown = 40; // bytes of a value in a message

std::string shown(const Json& value) {
    if (value.is_structured()) return value.is_array() ? "a list" : "an object";
    const std::string text = json_text(value);
    return text.size() > kMostShown ? "longer" : text;
}

/// Null where there is none.
const Json* found(const Json& record, const char* name) {
    if (!record.is_object()) throw OddRecord("it is " + shown(record) + ", not an object");
    const auto at = record.find(name);
    return at == record.end() ? nullptr : &*at;
}

const Json& field(const Json& record, const char* name) {
    const Json* const value = found(record, name);
    if (value == nullptr) throw OddRecord(fmt::format("it has no '{}'", name));
    return *value;
}

void need(bool holds, const Json& value, const char* name, const char* wanted) {
    if (!holds) throw OddRecord(fmt::format("its '{}' is {}, not {}", name, shown(value), wanted));
}

} // namespace

std::string text_field(const Json& record, const char* name) {
    const Json& value = field(record, name);
    need(value.is_string(), value, name, "a text");
    return value.get<std::string>();
}

std::uint64_t whole_field(const Json& record, const char* name) {
    const Json& value = field(record, name);
    need(value.is_number_unsigned(), value, name, "a whole number, 0 or more");
    return value.get<std::uint64_t>();
}

double number_field(const Json& record, const char* name) {
    const Json& value = field(record, name);
    need(value.is_number() && std::isfinite(value.get<double>()), value, name, "a finite number");
    return value.get<double>();
}

std::optional<double> optional_number_field(const Json& record, const char* name) {
    const Json* const value = found(record, name);
    if (value == nullptr || value->is_null()) return {};
    return number_field(record, name);
}

const Json& object_field(const Json& record, const char* name) {
    const Json& value = field(record, name);
    need(value.is_object(), value, name, "an object");
    return value;
}

const Json& list_field(const Json& record, const char* name) {
    const Json& value = field(record, name);
    need(value.is_array(), value, name, "a list");
    return value;
}

} // namespace hogwild
