// Json as a name, for headers that only hand it on: the whole of it is in json.h.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace hogwild {

using Json = nlohmann::ordered_json;

} // namespace hogwild
