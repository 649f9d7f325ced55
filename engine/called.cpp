#include "engine/called.h"

#include <utility>

namespace hogwild {
namespace {

std::string& name() {
    static std::string is = "hogwild";
    return is;
}

} // namespace

const std::string& called() { return name(); }

void set_called(std::string is) {
    if (!is.empty()) name() = std::move(is);
}

std::string as_called(const std::string& text) {
    const std::string typed = "\n  hogwild ";
    std::string said = text;
    for (std::size_t at = said.find(typed); at != std::string::npos; at = said.find(typed, at + 1))
        said.replace(at, typed.size(), "\n  " + called() + " ");
    return said;
}

} // namespace hogwild
