#include "experiments/sweep/spec/spec_reader.h"

#include "engine/numbers.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace hogwild {

std::string SpecReader::text(const toml::node& node, std::string_view key) const {
    if (const auto* text = node.as_string()) {
        if (text->get().find('\0') != std::string::npos)
            refuse(node, fmt::format("'{}' in {} holds a NUL", key, name_), "no option can", "leave it out");
        return text->get();
    }
    if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
    if (const auto* real = node.as_floating_point()) {
        if (!std::isfinite(real->get()))
            refuse(node, fmt::format("'{}' in {} cannot be {}", key, name_, real->get()), "it is no finite number",
                   "give one");
        return exact(real->get());
    }
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    refuse(node, fmt::format("'{}' in {} is no single value", key, name_), "it is a list, a table or a date",
           "give a text, a number, true or false; lists belong into [axes]");
}

std::vector<std::string> SpecReader::texts(const toml::node& node, std::string_view key) const {
    const auto* array = node.as_array();
    if (array == nullptr) return {text(node, key)};
    if (array->empty()) refuse(node, fmt::format("'{}' in {} is empty", key, name_), "nothing would run", "name some");
    std::vector<std::string> values;
    for (const toml::node& value : *array) values.push_back(text(value, key));
    return values;
}

void SpecReader::check_keys(const std::vector<std::string>& known) const {
    for (const auto& [key, node] : table_) {
        if (std::ranges::find(known, key.str()) == known.end())
            refuse(node, fmt::format("unknown key '{}' in {}", key.str(), name_),
                   fmt::format("known: {}", fmt::join(known, ", ")), "use one of these");
    }
}

SpecReader SpecReader::part(const toml::node& node, std::string name) const {
    const auto* table = node.as_table();
    if (table == nullptr) refuse(node, name + " is no table", "it has a value of its own", "write it as a table");
    return {*table, file_, std::move(name)};
}

std::vector<Setting> SpecReader::settings(const std::vector<std::string>& known) const {
    check_keys(known);
    std::vector<Setting> settings;
    for (const auto& [key, node] : table_) {
        settings.push_back({std::string(key.str()), text(node, key.str())});
        at(node, [&] { check_setting(settings.back()); });
    }
    return settings;
}

} // namespace hogwild
