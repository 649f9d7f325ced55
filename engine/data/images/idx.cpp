#include "engine/data/images/idx.h"

#include "engine/data/text/byte_source.h"
#include "engine/error.h"

#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

constexpr std::uint8_t kBytes = 8; // the type of unsigned bytes

/// What is asked for, in words.
struct Wanted {
    std::string_view one, many;
    std::uint8_t dimensions;
    std::string_view name; // a usual one

    static const Wanted& of(IdxKind kind) {
        static constexpr Wanted kImages{"image", "images", 3, "train-images-idx3-ubyte"};
        static constexpr Wanted kLabels{"label", "labels", 1, "train-labels-idx1-ubyte"};
        return kind == IdxKind::kImages ? kImages : kLabels;
    }
};

std::string type_text(std::uint8_t type) {
    switch (type) {
    case 0x09: return "signed bytes";
    case 0x0B: return "numbers of 16 bits";
    case 0x0C: return "numbers of 32 bits";
    case 0x0D: return "floats";
    case 0x0E: return "doubles";
    default: return "of no known type";
    }
}

/// 60000 x 28 x 28.
std::string sizes_text(const std::vector<std::uint32_t>& sizes) { return fmt::format("{}", fmt::join(sizes, " x ")); }

[[noreturn]] void fail(const std::string& name, std::string_view what, const std::string& why, const std::string& way) {
    throw Error(fmt::format("{}: {}", name, what), why, way);
}

void check_magic(const std::string& name, const Wanted& wanted, std::span<const std::uint8_t> magic) {
    if (magic.size() < 4 || magic[0] != 0 || magic[1] != 0) {
        fail(name, "no IDX file",
             magic.empty() ? "it is empty"
                           : fmt::format("it begins with the bytes {:02x}, not with 00 00 {:02x} {:02x}",
                                         fmt::join(magic, " "), kBytes, wanted.dimensions),
             fmt::format("name a file like {}; CIFAR-10's end in .bin", wanted.name));
    }
    if (magic[2] != kBytes) {
        fail(name, fmt::format("its entries are {}", type_text(magic[2])),
             fmt::format("type {:02x}; {} are unsigned bytes, type {:02x}", magic[2], wanted.many, kBytes),
             "convert it to bytes");
    }
    if (magic[3] == wanted.dimensions) return;
    for (const IdxKind other : {IdxKind::kImages, IdxKind::kLabels}) {
        const Wanted& is = Wanted::of(other);
        if (magic[3] != is.dimensions) continue;
        fail(name, fmt::format("a file of {}, not of {}", is.many, wanted.many),
             fmt::format("its arrays have {} dimension{}, those of {} {}", is.dimensions, is.dimensions == 1 ? "" : "s",
                         wanted.many, wanted.dimensions),
             fmt::format("put a file like {} in its place", wanted.name));
    }
    fail(name, fmt::format("an array of {} dimension{}", magic[3], magic[3] == 1 ? "" : "s"),
         fmt::format("{} have {}", wanted.many, wanted.dimensions), "convert it");
}

std::vector<std::uint32_t> read_head(ByteSource& source, const Wanted& wanted) {
    std::array<std::uint8_t, 4> word{};
    check_magic(source.name(), wanted, std::span(word).first(source.read(word)));
    std::vector<std::uint32_t> sizes;
    for (std::uint8_t i = 0; i < wanted.dimensions; ++i) {
        if (source.read(word) < word.size()) {
            fail(source.name(), "it ends within its header",
                 fmt::format("after {} bytes of {}", source.bytes(), 4 + 4 * wanted.dimensions),
                 "download or copy it again");
        }
        sizes.push_back(std::uint32_t{word[0]} << 24 | std::uint32_t{word[1]} << 16 | std::uint32_t{word[2]} << 8 |
                        word[3]);
    }
    return sizes;
}

/// Entries of all dimensions together, where that is neither nothing nor too much.
std::uint64_t checked_entries(const std::string& name, const Wanted& wanted, const std::vector<std::uint32_t>& sizes,
                              const TextLimits& limits) {
    std::uint64_t of_one = 1; // sides of 32 bits: the product of two has room
    for (std::size_t i = 1; i < sizes.size(); ++i) of_one *= sizes[i];
    if (sizes[0] == 0 || of_one == 0) {
        fail(name, fmt::format("it holds no {}", wanted.many), fmt::format("its header says {}", sizes_text(sizes)),
             "check that it is the file you mean");
    }
    if (of_one > kLargestImage) {
        fail(name, "its images are too large",
             fmt::format("its header says {}; an image has at most {} entries", sizes_text(sizes), kLargestImage),
             "check that it is the file you mean, or make the images smaller");
    }
    const std::uint64_t entries = sizes[0] * of_one; // below 2^56
    if (entries > limits.max_array_bytes) {
        fail(name, "it does not fit into memory",
             fmt::format("its header says {}, which exceed the limit of {} bytes", sizes_text(sizes),
                         limits.max_array_bytes),
             "use a part of the file, or a machine with more memory");
    }
    return entries;
}

} // namespace

IdxArray read_idx(std::string_view stored, const std::string& name, IdxKind kind, const TextLimits& limits) {
    const Wanted& wanted = Wanted::of(kind);
    ByteSource source(stored, name, limits);
    IdxArray array;
    array.sizes = read_head(source, wanted);
    const std::uint64_t entries = checked_entries(name, wanted, array.sizes, limits);
    const auto ends_early = [&](std::uint64_t there) {
        fail(name, "it ends early",
             fmt::format("its header says {}, {} of these {} bytes are there", sizes_text(array.sizes), there, entries),
             "download or copy it again");
    };
    // Memory is taken for what a plain file has; of a compressed one pages that nothing fills cost nothing.
    if (source.is_plain() && source.plain_bytes() - source.bytes() < entries)
        ends_early(source.plain_bytes() - source.bytes());
    array.entries = PageArray<std::uint8_t>(entries);
    const std::size_t there = source.read(array.entries.span());
    if (there < entries) ends_early(there);
    array.text_bytes = source.bytes();
    if (!source.at_end()) {
        fail(name, fmt::format("it goes on behind its last {}", wanted.one),
             fmt::format("its header says {}", sizes_text(array.sizes)), "check that it is one whole file");
    }
    return array;
}

} // namespace hogwild
