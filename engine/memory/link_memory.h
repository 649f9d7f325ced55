// Memory that a GPU reaches, for parameters: mapped, managed or the GPU's own. The same header in builds without CUDA.
//
// Managed memory is asked for in small amounts only, and never more than the card has free: beyond that a GPU can hang.
// Errors: throws Error when memory is refused, and Error (Failure::kMissing) where there is no GPU or no CUDA.
#pragma once

#include "engine/memory/memory_kind.h"

#include <cstdint>
#include <memory>

namespace hogwild {

/// Owns zeroed memory of one kind. Not thread-safe; the memory is for whoever its holder lends it.
class LinkMemory {
public:
    virtual ~LinkMemory() = default;

    virtual void* host() const = 0;   // null where CPU threads cannot reach it
    virtual void* device() const = 0; // as the GPU addresses it

    /// Copies all of it to host memory; of parameters that others write meanwhile, some value that was written.
    virtual void download(float* to) const = 0;

    /// Copies as much from host memory, to halves rounded to the nearest; before anybody uses it.
    virtual void upload(const float* from) const = 0;
};

/// For so many parameters, of any kind but host and replica.
std::unique_ptr<LinkMemory> make_link_memory(MemoryKind kind, std::uint64_t parameters);

} // namespace hogwild
