// Loads a dataset by name: a LIBSVM file, ratings, a graph, a text, images with their labels, or generated samples of
// any kind ("synthetic:..."). A file may be plain, .gz, .bz2, .xz or .zst.
//
// LIBSVM text is parsed once; its arrays are kept in a binary cache (engine/data/cache/cache.h) that a second load maps
// at once. Other files are parsed at every load.
// Labels become -1 or +1 unless `keep_labels`. {-1, +1} and {0, 1} are taken by their meaning. The lower of two other
// values is -1. Where there are more than two, the `positive_class` is +1 and the rest -1.
//
// Errors: throws Error. A file that is absent or unreadable is Failure::kMissing, and a malformed "synthetic:" name
// kUsage. Malformed content is kError (`file:line:column: what (why); try this`). A cache that cannot be read or
// written never fails a load: it is reported in LoadReport::note.
// Thread-safety: concurrent loads are safe, also from several processes that share a cache directory.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/images/images.h"
#include "engine/data/ratings/ratings.h"
#include "engine/data/split.h"
#include "engine/data/words/tokens.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct LoadReport;

struct LoadOptions {
    std::string_view samples = SparseView::kSamples; // what the file holds: kSamples of a view
    std::optional<double> positive_class;            // the label that becomes +1; every other becomes -1
    bool keep_labels = false;                        // real labels, for the squared loss
    bool positive_must_occur = true;                 // of a set that trains; what is only predicted may lack a class

    std::uint64_t min_count = 5;         // of text: rarer words are taken out of it
    std::vector<std::string> similarity; // of text: files of pairs (engine/data/load_text.h); none: those beside it
    std::string analogies;               // of text: a file; empty: the one beside it

    bool use_cache = true;
    std::string cache_directory; // empty: no cache. The caller resolves the default (<cache home>/hogwild).
    bool huge_pages = true;      // copy a mapped cache into huge pages; false: use the file's own 4 KiB pages

    const LoadReport* train = nullptr; // of the training set that a test set belongs to; null: it stands for itself

    std::uint64_t seed = 1; // synthetic only

    // Limits against hostile or mistaken input.
    std::uint64_t max_uncompressed_bytes = std::uint64_t{64} << 30; // text after decompression
    std::uint64_t max_compression_ratio = 1000;            // text per stored byte, judged above 256 MiB of text
    std::uint64_t max_line_bytes = std::uint64_t{1} << 30; // one sample's text
    std::uint64_t max_memory_bytes = 0;                    // arrays; 0: nine tenths of the physical memory
};

/// How a load went; for people and manifests.
struct LoadReport {
    bool from_cache = false;
    bool of_others = false;      // samples that were loaded with others, whose report says how
    std::string note;            // why a cache was not used or not written; empty when all went well
    std::vector<double> classes; // distinct labels as they stand in the file, ascending; empty with keep_labels
    std::optional<double> positive_class;    // the label that became +1
    std::uint64_t file_bytes = 0;            // as stored on disk
    std::uint64_t text_bytes = 0;            // after decompression; 0 when it came from the cache
    double parse_seconds = 0;                // decompression, parsing, assembly; or generation; or mapping and copying
    RatingsBase ratings_base;                // of ratings
    ImagesBase images_base;                  // of images
    std::shared_ptr<const Vocabulary> words; // of text, by id
};

Dataset load(const std::string& name, const LoadOptions& options, LoadReport* report = nullptr);

/// The name of the test set that a dataset brings. For a generated dataset it is fresh samples, for a folder of images
/// the test images in it. Empty: the dataset brings none. `samples` is that of LoadOptions.
std::string own_test(const std::string& name, std::string_view samples);

/// Both views get the larger dimension of the two.
void widen(Dataset& train, Dataset& test);

/// Loads a pair that agrees: same dimension, and the test labels mapped as the training labels were. So a test file
/// that holds only one class, or a class the training file lacks, is not misread. `test` may be what own_test says.
TrainTest load_pair(const std::string& train, const std::string& test, const LoadOptions& options,
                    LoadReport* train_report = nullptr, LoadReport* test_report = nullptr);

} // namespace hogwild
