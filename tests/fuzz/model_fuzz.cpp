// The readers of models on arbitrary bytes; the first byte chooses the format. They say an Error, or return weights
// that survive being written and read again.
#include "experiments/model/model_formats.h"
#include "tests/fuzz/laws.h"

#include <cstring>

namespace {

using namespace hogwild;

struct Format {
    Model (*read)(std::string_view, const std::string&);
    std::string (*bytes)(const Model&);
};
constexpr Format kFormats[] = {
    {read_npy, npy_bytes}, {read_safetensors, safetensors_bytes}, {read_liblinear, liblinear_text}};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    return fuzz(bytes, size, [&](std::string_view file, const TextLimits&) {
        const Format& format = kFormats[bytes[0] % std::size(kFormats)];
        const Model model = format.read(file, "fuzz");
        if (first_not_finite(model.weights) < model.weights.size() || model.weights.empty()) return;
        const Model again = format.read(format.bytes(model), "again");
        demand(again.weights.size() == model.weights.size(), "written and read again: how many weights");
        demand(std::memcmp(again.weights.data(), model.weights.data(), 4 * model.weights.size()) == 0,
               "written and read again: weights");
    });
}
