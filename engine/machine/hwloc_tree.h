// Owner of an hwloc topology: this machine's, loaded once, or one described in words for tests.
//
// Thread-safety: read-only after construction, any thread may read. Errors: throws Error when hwloc cannot load it.
#pragma once

#include <memory>
#include <string>

struct hwloc_topology; // hwloc.h: a header of the engine does not ask its users for hwloc

namespace hogwild {

class HwlocTree {
public:
    /// The machine's tree, of the processors that this process is allowed to see.
    static const HwlocTree& of_this_machine();

    /// hwloc's synthetic notation, "pack:2 core:4 pu:2".
    explicit HwlocTree(const std::string& synthetic);

    hwloc_topology* get() const { return tree_.get(); }

private:
    HwlocTree();
    void load();

    struct Destroy {
        void operator()(hwloc_topology* tree) const;
    };
    std::unique_ptr<hwloc_topology, Destroy> tree_;
};

} // namespace hogwild
