#include "experiments/model/tensor_places.h"

#include "experiments/files/record_fields.h"
#include "experiments/text/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hogwild {
namespace {

constexpr std::size_t kMostShown = 40; // bytes of a name in a message
constexpr std::size_t kMostDimensions = 64;

std::string shown(const std::string& name) { return name.substr(0, kMostShown); }

std::uint64_t whole(const Json& value, const std::string& tensor, const char* what) {
    if (!value.is_number_unsigned())
        throw OddRecord(fmt::format("{} of its tensor {} is no whole number, 0 or more", what, shown(tensor)));
    return value.get<std::uint64_t>();
}

TensorPlace place_of(const std::string& name, const Json& tensor) {
    if (!tensor.is_object()) throw OddRecord(fmt::format("its tensor {} is no object", shown(name)));
    TensorPlace place{name, text_field(tensor, "dtype"), {}};
    const Json &shape = list_field(tensor, "shape"), &offsets = list_field(tensor, "data_offsets");
    if (shape.size() > kMostDimensions)
        throw OddRecord(fmt::format("its tensor {} has {} dimensions", shown(name), shape.size()));
    for (const Json& size : shape) place.shape.push_back(whole(size, name, "a size"));
    if (offsets.size() != 2) throw OddRecord(fmt::format("its tensor {} has no two data_offsets", shown(name)));
    place.begin = whole(offsets[0], name, "an offset");
    place.end = whole(offsets[1], name, "an offset");
    return place;
}

} // namespace

std::vector<TensorPlace> tensor_places(const Json& header, std::uint64_t bytes) {
    if (!header.is_object()) throw OddRecord("its header is no object of tensors");
    std::vector<TensorPlace> places;
    for (const auto& [name, tensor] : header.items()) {
        if (name != "__metadata__") places.push_back(place_of(name, tensor));
    }
    for (const TensorPlace& place : places) {
        if (place.begin > place.end || place.end > bytes)
            throw OddRecord(fmt::format("it holds {} bytes, its tensor {} lies in [{}, {})", bytes, shown(place.name),
                                        place.begin, place.end));
    }
    std::vector<const TensorPlace*> order;
    for (const TensorPlace& place : places) order.push_back(&place);
    std::ranges::sort(order, {}, [](const TensorPlace* place) { return std::pair(place->begin, place->end); });
    std::uint64_t end = 0;
    for (const TensorPlace* const place : order) {
        if (place->begin < end)
            throw OddRecord(fmt::format("its tensor {} begins at {}, and another one ends at {}", shown(place->name),
                                        place->begin, end));
        if (place->begin > end)
            throw OddRecord(fmt::format("no tensor of it holds the bytes [{}, {})", end, place->begin));
        end = place->end;
    }
    if (end != bytes) throw OddRecord(fmt::format("it holds {} bytes, its tensors end at {}", bytes, end));
    return places;
}

} // namespace hogwild
