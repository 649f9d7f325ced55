// Optima kept on disk, so that a sweep solves each (data, problem, lambda) once.
//
// Each key has one small text file, versioned and closed by a checksum. It is written beside its name and renamed into
// place after fsync: a reader sees a whole file or none. A file that is damaged, of another version, another key
// or another user, or whose numbers contradict each other, counts as absent. Weights are not kept: F* and its certificate
// are what later runs need.
//
// Thread-safety: any number of readers and writers, also in several processes; the last writer wins.
#pragma once

#include "engine/optimum/optimum.h"

#include <filesystem>
#include <optional>
#include <string>

namespace hogwild {

/// Everything F* depends on.
struct OptimumKey {
    std::uint64_t data = 0; // hash_of(view)
    std::string problem;
    double l2 = 0;

    bool operator==(const OptimumKey&) const = default;
};

/// XXH3 of the samples themselves (rows, indices, values, labels): unlike a file's hash it tells apart two choices of
/// the positive class.
std::uint64_t hash_of(const SparseView& data);

std::string to_text(const OptimumKey& key, const Optimum& optimum);
std::optional<Optimum> from_text(const OptimumKey& key, const std::string& text);

/// The cached optimum, without weights; empty when there is none or it is not to be trusted.
std::optional<Optimum> load_optimum(const std::filesystem::path& folder, const OptimumKey& key);

/// Throws Error (Failure::kDisk) when the folder cannot be made or written.
void store_optimum(const std::filesystem::path& folder, const OptimumKey& key, const Optimum& optimum);

/// The cached optimum if it is certified to options.relative_gap, else solved now and, when converged, stored.
Optimum solve_cached(const std::filesystem::path& folder, std::string_view problem, const SparseView& data, double l2,
                     const OptimumOptions& options = {});

} // namespace hogwild
