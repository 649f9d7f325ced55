// A dataset: samples of some access pattern (kernels/views/any_view.h), owned, immutable after construction.
//
// Copies share the storage. Functions that make samples of others take these by value. Samples that are given away
// (std::move), and whose storage nobody else shares, may become the new ones in place. So they are never held twice
// (split.h, shuffle.h).
// Thread-safety: any number of threads may read; nothing writes after construction.
#pragma once

#include "kernels/views/any_view.h"

#include <cstdint>
#include <memory>
#include <string>

namespace hogwild {

/// Owns whatever memory the view borrows: huge-page arrays, or a mapped cache file.
class DatasetStorage {
public:
    virtual ~DatasetStorage() = default;
};

class Dataset {
public:
    Dataset(std::string name, std::uint64_t content_hash, const AnyView& view, std::shared_ptr<DatasetStorage> storage)
        : name_(std::move(name)), content_hash_(content_hash), view_(view), storage_(std::move(storage)) {}

    /// What the user called it: a path, or "synthetic:...".
    const std::string& name() const { return name_; }

    /// XXH3 of the source's bytes (a file as stored on disk), of the generator's recipe, or of what else the samples depend
    /// on.
    std::uint64_t content_hash() const { return content_hash_; }

    const AnyView& view() const { return view_; }

    /// Precondition: they are sparse rows.
    const SparseView& sparse() const { return view_.as<SparseView>(); }

    /// The same samples in the larger dimensions of the two (a train/test pair takes the larger of its two). Shares the storage.
    /// Precondition: the other's are of the same access pattern.
    Dataset widened(const AnyView& other) const {
        return {name_, content_hash_,
                view_.visit([&]<class View>(const View& view) { return AnyView(view.widened(other.as<View>())); }),
                storage_};
    }

    /// The storage, to be written, where it is a Storage and nobody else has a share in it; else null, and nothing is taken.
    template <class Storage>
    std::shared_ptr<Storage> take_storage() {
        auto storage = storage_.use_count() == 1 ? std::dynamic_pointer_cast<Storage>(storage_) : nullptr;
        if (storage != nullptr) storage_.reset();
        return storage;
    }

private:
    std::string name_;
    std::uint64_t content_hash_;
    AnyView view_;
    std::shared_ptr<DatasetStorage> storage_;
};

} // namespace hogwild
