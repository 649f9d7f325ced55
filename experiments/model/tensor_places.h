// The header of a .safetensors file: where its tensors lie, before anything is read by it.
//
// Thread-safety: pure functions. Errors: OddRecord (experiments/files/record_fields.h).
#pragma once

#include "experiments/text/json_fwd.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hogwild {

struct TensorPlace {
    std::string name, type;
    std::vector<std::uint64_t> shape;
    std::uint64_t begin = 0, end = 0; // bytes behind the header
};

/// All tensors of a header, in its order. They lie in so many bytes one behind the other, without overlaps and holes.
std::vector<TensorPlace> tensor_places(const Json& header, std::uint64_t bytes);

} // namespace hogwild
