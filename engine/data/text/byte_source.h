// The bytes of a binary file, plain or compressed, read in order into places that the caller has.
//
// Only as much is decompressed as is asked for. Errors: throws Error for bytes beyond the limits, or damaged ones. Not thread-safe.
#pragma once

#include "engine/data/text/decompress.h"
#include "engine/data/text/text_source.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hogwild {

class ByteSource {
public:
    /// `stored` is the file's content, which outlives the source; `name` is for messages.
    ByteSource(std::string_view stored, std::string name, const TextLimits& limits);

    /// Fills `to` from its front and returns how many bytes there were: fewer only at the end.
    std::size_t read(std::span<std::uint8_t> to);

    /// Whether nothing follows; reads a byte to see.
    bool at_end();

    /// Read so far, without what at_end read.
    std::uint64_t bytes() const { return bytes_; }

    /// How many there are in all, where that can be known without reading them: of a plain file.
    bool is_plain() const { return !reader_; }
    std::uint64_t plain_bytes() const { return stored_.size(); }

    const std::string& name() const { return name_; }

private:
    std::string_view stored_;
    std::string name_;
    TextLimits limits_;
    ByteReader reader_; // none of a plain file
    std::uint64_t bytes_ = 0;
};

} // namespace hogwild
