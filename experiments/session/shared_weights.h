// Weights that a run's own process hands back: a file in memory, made by the parent, written by the child.
//
// Thread-safety: one process writes, then the other reads. Errors: throws Error when the system refuses the memory; what a
// child could not write is absent.
#pragma once

#include <span>
#include <vector>

namespace hogwild {

class SharedWeights {
public:
    SharedWeights();
    SharedWeights(const SharedWeights&) = delete;
    SharedWeights& operator=(const SharedWeights&) = delete;
    ~SharedWeights();

    /// The descriptor, inherited by children.
    int handle() const { return file_; }

    /// What was written; empty from now on.
    std::vector<float> take() const;

    /// In the child: all of them, or none.
    static void write(int handle, std::span<const float> weights);

private:
    int file_;
};

} // namespace hogwild
