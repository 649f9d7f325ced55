// The cache of parsed files on arbitrary arrays with right checksums: a refusal, or samples that keep the promises of
// SparseView. The first bytes choose how many rows, entries and columns there are.
#include "engine/data/cache/cache.h"
#include "tests/engine/data/samples.h"
#include "tests/fuzz/laws.h"
#include "tests/fuzz/scratch_folder.h"

#include <cstring>
#include <vector>

namespace {

/// Takes its elements from the front of the input; zeros behind its end.
template <class Element>
std::vector<Element> taken(std::string_view& input, std::size_t count) {
    std::vector<Element> array(count);
    const std::size_t bytes = std::min(input.size(), count * sizeof(Element));
    if (bytes > 0) std::memcpy(array.data(), input.data(), bytes);
    input.remove_prefix(bytes);
    return array;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    if (size < 3) return 0;
    static const ScratchFolder scratch;
    return fuzz_text(bytes, size, [](std::string_view input) {
        const std::size_t rows = static_cast<unsigned char>(input[0]) % 16 + 1;
        const std::size_t entries = static_cast<unsigned char>(input[1]) % 64;
        const std::uint32_t columns = static_cast<unsigned char>(input[2]);
        input.remove_prefix(3);
        auto offsets = taken<std::uint64_t>(input, rows + 1);
        offsets[rows] = entries; // as many as are written
        const auto indices = taken<std::uint32_t>(input, entries);
        const auto values = taken<float>(input, entries), labels = taken<float>(input, rows);
        const Cache cache(scratch.path());
        cache.write(1, {offsets.data(), indices.data(), values.data(), labels.data(), rows, columns});
        for (const bool huge_pages : {true, false}) {
            const CacheEntry entry = cache.read(1, huge_pages);
            demand((entry.storage == nullptr) != entry.refusal.empty(), "samples or a refusal");
            if (entry.storage != nullptr) demand(broken_promise(entry.view).empty(), broken_promise(entry.view));
        }
    });
}
