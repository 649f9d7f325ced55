// A dataset in memory that other processes can map: written once, handed to children by its file descriptor.
//
// Thread-safety: immutable once made. Errors: throws Error when the system refuses the memory.
#pragma once

#include "engine/data/dataset.h"
#include "experiments/text/json.h"

namespace hogwild {

class SharedSamples {
public:
    /// Copies the samples.
    explicit SharedSamples(const Dataset& data);
    SharedSamples(const SharedSamples&) = delete;
    SharedSamples& operator=(const SharedSamples&) = delete;
    ~SharedSamples();

    /// What `mapped_samples` needs; the descriptor in it is inherited by children.
    const Json& handle() const { return handle_; }

private:
    int file_ = -1;
    Json handle_;
};

/// In the child: the samples behind a handle, mapped.
Dataset mapped_samples(const Json& handle);

} // namespace hogwild
