#include "engine/data/load.h"

#include "engine/data/cache/cache.h"
#include "engine/data/files/mapped_file.h"
#include "engine/data/files/unchanged.h"
#include "engine/data/graphs/graph.h"
#include "engine/data/images/image_files.h"
#include "engine/data/kinds_of_data.h"
#include "engine/data/load_images.h"
#include "engine/data/load_text.h"
#include "engine/data/ratings/matrix_market.h"
#include "engine/data/sparse/labels.h"
#include "engine/data/sparse/libsvm.h"
#include "engine/data/sparse/sparse_arrays.h"
#include "engine/data/synthetic/synthetic.h"
#include "engine/data/synthetic/synthetic_graph.h"
#include "engine/data/synthetic/synthetic_images.h"
#include "engine/data/synthetic/synthetic_ratings.h"
#include "engine/data/synthetic/synthetic_words.h"
#include "engine/data/text/memory_limit.h"
#include "engine/data/words/tokens_block.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace hogwild {
namespace {

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What `make` returns; how long it took is the report's time of parsing.
auto timed(LoadReport& report, const auto& make) {
    const Stopwatch watch;
    auto made = make();
    report.parse_seconds = watch.seconds();
    return made;
}

/// Samples with the labels of their file.
struct Source {
    std::shared_ptr<DatasetStorage> storage;
    SparseView view;
    std::uint64_t content_hash = 0;
};

/// The source's arrays, with labels of its own.
struct LabelledStorage final : DatasetStorage {
    std::shared_ptr<const DatasetStorage> source;
    PageArray<float> labels;
};

void note(LoadReport& report, const std::string& text) { report.note += (report.note.empty() ? "" : "; ") + text; }

std::uint64_t hash_of(const std::string& path, const MappedFile& file, const Cache* cache, LoadReport& report) {
    if (cache != nullptr) {
        if (const auto known = cache->recall(path, file.stamp())) return *known;
    }
    const std::uint64_t hash = content_hash(file.text(), [&](std::string_view part) { file.done(part); });
    if (cache != nullptr && settled(file.stamp()) && stamp_of(path) == file.stamp()) {
        try {
            cache->remember(path, file.stamp(), hash);
        } catch (const Error& unwritable) {
            note(report, fmt::format("no cache: {}", unwritable.what()));
        }
    }
    return hash;
}

/// `file`: whose text is read, page by page; null: text that is no file's.
TextLimits limits_of(const LoadOptions& options, const MappedFile* file) {
    TextLimits limits;
    if (file != nullptr) limits.done = [file](std::string_view part) { file->done(part); };
    limits.max_text_bytes = options.max_uncompressed_bytes;
    limits.max_ratio = options.max_compression_ratio;
    limits.max_line_bytes = options.max_line_bytes;
    limits.max_array_bytes = options.max_memory_bytes;
    if (limits.max_array_bytes == 0) limits.max_array_bytes = default_array_limit();
    return limits;
}

Source read_source(const std::string& path, const LoadOptions& options, LoadReport& report) {
    const MappedFile file(path);
    report.file_bytes = file.size();
    std::optional<Cache> cache;
    if (options.use_cache && !options.cache_directory.empty()) cache.emplace(options.cache_directory);
    const std::uint64_t hash = hash_of(path, file, cache ? &*cache : nullptr, report);

    const Stopwatch watch;
    if (cache) {
        CacheEntry entry = cache->read(hash, options.huge_pages);
        if (entry.storage) {
            report.from_cache = true;
            report.parse_seconds = watch.seconds();
            return {std::move(entry.storage), entry.view, hash};
        }
        if (!entry.refusal.empty()) note(report, entry.refusal);
    }
    LibsvmData data = read_libsvm(file.text(), path, limits_of(options, &file));
    report.text_bytes = data.text_bytes;
    report.parse_seconds = watch.seconds();
    const SparseView view = data.arrays->view();
    const bool may_be_kept = check_unchanged(path, file, hash);
    if (cache && may_be_kept) {
        try {
            cache->write(hash, view);
        } catch (const Error& unwritable) {
            if (report.note.find(unwritable.what()) == std::string::npos)
                note(report, fmt::format("no cache: {}", unwritable.what()));
        }
    }
    return {std::move(data.arrays), view, hash};
}

/// What tells samples apart: the file as stored, and what its labels became where that is not the usual.
std::uint64_t hash_with_labels(std::uint64_t file, const std::string& labels) {
    return content_hash(fmt::format("{:016x}, {}", file, labels));
}

Dataset load_file(const std::string& path, const LoadOptions& options, bool positive_must_occur, LoadReport& report) {
    Source source = read_source(path, options, report);
    if (options.keep_labels) {
        return {path, hash_with_labels(source.content_hash, "labels as they are"), source.view,
                std::move(source.storage)};
    }
    const std::span raw(source.view.labels, source.view.rows);
    report.classes = distinct_labels(raw);
    report.positive_class = choose_positive_class(report.classes, options.positive_class, positive_must_occur, path);
    auto labelled = std::make_shared<LabelledStorage>();
    labelled->source = std::move(source.storage);
    labelled->labels = PageArray<float>(raw.size());
    map_labels(raw, *report.positive_class, labelled->labels.span());
    source.view.labels = labelled->labels.data();
    const bool usual = usual_positive_class(report.classes) == report.positive_class;
    const std::uint64_t hash =
        usual ? source.content_hash
              : hash_with_labels(source.content_hash, fmt::format("class {} is +1", *report.positive_class));
    return {path, hash, source.view, std::move(labelled)};
}

/// The arrays of a file that is read anew each time: a parse costs little more than reading a cache would. `parse(text, limits)`
/// returns what owns them.
Dataset timed_read(const std::string& path, const LoadOptions& options, LoadReport& report, const auto& parse) {
    const MappedFile file(path);
    report.file_bytes = file.size();
    const std::uint64_t hash = hash_of(path, file, nullptr, report);
    auto owner = timed(report, [&] { return parse(file.text(), limits_of(options, &file)); });
    check_unchanged(path, file, hash);
    const auto view = owner->view();
    return {path, hash, view, std::move(owner)};
}

Dataset load_ratings(const std::string& path, const LoadOptions& options, LoadReport& report) {
    return timed_read(path, options, report, [&](std::string_view text, const TextLimits& limits) {
        RatingsData data =
            read_ratings(text, path, limits, options.train == nullptr ? nullptr : &options.train->ratings_base);
        report.text_bytes = data.text_bytes;
        report.ratings_base = data.base;
        const RatingsView view = data.array->view();
        const std::span<const Rating> ratings{view.ratings, view.rows};
        for (const std::string& said : {data.note, size_line_note(ratings), far_id(view, data.base), outlier(ratings)})
            if (!said.empty()) note(report, said);
        return std::move(data.array);
    });
}

Dataset load_graph(const std::string& path, const LoadOptions& options, LoadReport& report) {
    if (is_synthetic(path))
        return timed(report, [&] { return generate(parse_synthetic_graph(path, options.seed), path); });
    return timed_read(path, options, report, [&](std::string_view text, const TextLimits& limits) {
        GraphData data = read_graph(text, path, limits);
        report.text_bytes = data.text_bytes;
        if (!data.note.empty()) note(report, data.note);
        return std::move(data.arrays);
    });
}

/// Held-out ratings take their training set's mean.
Dataset generate_ratings(const std::string& name, const LoadOptions& options, LoadReport& report) {
    return timed(report, [&]() -> Dataset {
        const RatingsRecipe recipe = parse_synthetic_ratings(name, options.seed);
        const std::shared_ptr<RatingsArray> array = generate(recipe);
        if (options.train != nullptr) array->mean = options.train->ratings_base.mean;
        report.ratings_base = {0, 0, array->mean};
        return {name, content_hash("hogwild ratings 1: " + to_string(recipe)), array->view(), array};
    });
}

/// For each file of questions ", HASH", or ", none".
std::string hashes_of(const QuestionFiles& questions) {
    std::string hashes;
    for (const std::string& file : {questions.pairs[0], questions.pairs[1], questions.analogies})
        hashes += file.empty() ? ", none" : fmt::format(", {:016x}", content_hash(MappedFile(file).text()));
    return hashes;
}

/// Like ratings, read anew each time. The hash is of all that the words and their questions depend on.
Dataset load_tokens(const std::string& path, const LoadOptions& options, LoadReport& report) {
    std::optional<MappedFile> file;
    std::string generated;
    if (is_synthetic_words(path)) {
        generated = generate_text(parse_words(path, options.seed));
    } else if (is_synthetic(path)) {
        throw Error(Failure::kUsage, path + " holds no text", "what is generated are sparse rows",
                    "name a text, or synthetic:words");
    } else {
        report.file_bytes = file.emplace(path).size();
    }
    const std::string_view stored = file ? file->text() : std::string_view(generated);
    const TextLimits limits = limits_of(options, file ? &*file : nullptr);
    const std::uint64_t hash = limits.done ? content_hash(stored, limits.done) : content_hash(stored);
    std::string kind = fmt::format("text {:016x}, min-count {}", hash, options.min_count);
    const Stopwatch watch;
    TokensData data = read_tokens(stored, path, limits, options.min_count);
    if (file) check_unchanged(path, *file, hash);
    const QuestionFiles questions = question_files(file ? path : "", options.similarity, options.analogies);
    const std::string asked = hashes_of(questions);
    ask(data, questions);
    if (hashes_of(questions) != asked) {
        throw Error(Failure::kDisk, "questions about words changed while they were read",
                    "what they ask is not what was hashed", "try again when nobody writes to their files");
    }
    kind += asked;
    report.text_bytes = data.text_bytes;
    report.words = data.words;
    report.parse_seconds = watch.seconds();
    if (data.long_words > 0) {
        note(report,
             fmt::format("{} words of more than {} bytes were left out", data.long_words, TokensBlock::kLongestWord));
    }
    const TokensView view = data.array->view();
    return {path, content_hash(kind), view, std::move(data.array)};
}

Dataset load_synthetic(const std::string& name, const LoadOptions& options, LoadReport& report) {
    Dataset dataset = timed(report, [&] { return generate(parse_synthetic(name, options.seed), name); });
    if (!options.keep_labels) {
        report.classes = {-1, 1};
        report.positive_class = 1;
    }
    return dataset;
}

Dataset load_kind(const std::string& name, const LoadOptions& options, bool positive_must_occur, LoadReport& report) {
    if (options.samples == RatingsView::kSamples)
        return is_synthetic(name) ? generate_ratings(name, options, report) : load_ratings(name, options, report);
    if (options.samples == EdgesView::kSamples) return load_graph(name, options, report);
    if (options.samples == TokensView::kSamples) return load_tokens(name, options, report);
    if (options.samples == ImagesView::kSamples) return load_images(name, options, limits_of(options, nullptr), report);
    return is_synthetic(name) ? load_synthetic(name, options, report)
                              : load_file(name, options, positive_must_occur, report);
}

/// Says of a text of words that its lines look like samples of another kind, of which every word may be one.
void note_other_kind(const std::string& name, LoadReport& report) {
    const auto kinds = kinds_of_data(name);
    if (kinds.empty() || std::ranges::find(kinds, TokensView::kSamples) != kinds.end()) return;
    note(report, fmt::format("{}, for {}; it is read as words", seems(name, kinds), problems_of_kinds(kinds)));
}

/// What cannot be read as it was asked for is looked at again: it may be of another kind.
Dataset load_reported(const std::string& name, const LoadOptions& options, bool positive_must_occur,
                      LoadReport& report) {
    report = {};
    if (options.samples != ImagesView::kSamples && (holds_images(name) || is_synthetic_images(name))) {
        throw Error(Failure::kUsage, fmt::format("{} has no {}", name, options.samples), "images lie in it",
                    "read them with --problem network, or name a file of what you want");
    }
    try {
        Dataset data = load_kind(name, options, positive_must_occur, report);
        if (options.samples == TokensView::kSamples) note_other_kind(name, report);
        return data;
    } catch (const Error& error) {
        if (error.failure() != Failure::kError && error.failure() != Failure::kUsage) throw;
        const auto kinds = kinds_of_data(name);
        if (kinds.empty() || std::ranges::find(kinds, options.samples) != kinds.end()) throw;
        const std::string said = error.what();
        throw Error(error.failure(), seems(name, kinds),
                    fmt::format("read as {}: {}", options.samples,
                                said.substr(0, said.find(" (", std::min(name.size(), said.size())))),
                    fmt::format("that is for {}", problems_of_kinds(kinds)));
    }
}

// -1 and 0 are both "not 1"; any other value that the training set lacks has no meaning.
void check_classes(const LoadReport& train, const LoadReport& test, const std::string& name) {
    for (const double value : test.classes) {
        const bool known = std::binary_search(train.classes.begin(), train.classes.end(), value);
        if (known || (*train.positive_class == 1 && (value == -1 || value == 0))) continue;
        throw Error(fmt::format("{} has a class {} that the training set lacks", name, label_text(value)),
                    "its meaning is unknown", "choose the positive class, or use a matching pair of files");
    }
}

} // namespace

Dataset load(const std::string& name, const LoadOptions& options, LoadReport* report) {
    LoadReport unused;
    return load_reported(name, options, options.positive_must_occur, report != nullptr ? *report : unused);
}

std::string own_test(const std::string& name, std::string_view samples) {
    if (is_synthetic(name)) return name + ",held-out";
    return samples == ImagesView::kSamples ? test_images_of(name) : "";
}

void widen(Dataset& train, Dataset& test) {
    const Dataset wide = train.widened(test.view());
    test = test.widened(train.view());
    train = wide;
}

TrainTest load_pair(const std::string& train_name, const std::string& test_name, const LoadOptions& options,
                    LoadReport* train_report, LoadReport* test_report) {
    if (options.samples == TokensView::kSamples) {
        throw Error(Failure::kUsage, "a text cannot be tested with " + test_name,
                    "word vectors are scored by questions about the words they were trained on", "leave out the test");
    }
    LoadReport unused_train, unused_test;
    LoadReport& train_notes = train_report != nullptr ? *train_report : unused_train;
    LoadReport& test_notes = test_report != nullptr ? *test_report : unused_test;
    Dataset train = load_reported(train_name, options, true, train_notes);
    LoadOptions test_options = options;
    test_options.train = &train_notes;
    if (!options.keep_labels) test_options.positive_class = train_notes.positive_class;
    Dataset test = load_reported(test_name, test_options, false, test_notes);
    if (!options.keep_labels && !options.positive_class) check_classes(train_notes, test_notes, test_name);
    widen(train, test);
    return {std::move(train), std::move(test)};
}

} // namespace hogwild
