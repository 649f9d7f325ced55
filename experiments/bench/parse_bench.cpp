// How fast is LIBSVM text read, plain and compressed, and how fast does a second run map the cache?
//
// Rates are of text, decompressed, also for rows that read none of it: the cache gives the same samples. The file is in the
// page cache. Compressed forms are made by the system's own tools; where one is not installed, its rows are absent. Two rows read
// values alone, one after another: with engine/data/text/decimal.h, and with std::from_chars.
#include "engine/data/cache/cache.h"
#include "engine/data/files/mapped_file.h"
#include "engine/data/sparse/libsvm.h"
#include "engine/data/sparse/write_libsvm.h"
#include "engine/data/text/decimal.h"
#include "engine/error.h"
#include "engine/machine/parallel.h"
#include "engine/numbers.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/parse_memory.h"
#include "experiments/bench/harness/scratch_folder.h"
#include "experiments/bench/harness/stopwatch.h"
#include "experiments/bench/harness/subprocess.h"
#include "experiments/text/tell.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr double kGoal = 300e6; // bytes of text per second and core

struct Inputs {
    ScratchFolder folder;
    std::string text = folder.file("data.txt");
    Cache cache{folder.file("cache")};
    std::uint64_t bytes = 0;
};

void add_parse(Bench& bench, const std::string& row, const std::shared_ptr<Inputs>& inputs, const std::string& path,
               unsigned threads) {
    bench.add(row, [=] {
        set_parallelism(threads);
        const Stopwatch watch;
        const MappedFile file(path);
        const LibsvmData data = read_libsvm(file.text(), path);
        const double seconds = watch.seconds();
        const auto bytes = static_cast<double>(inputs->bytes);
        return Measurement{seconds, bytes, {{"MB/s/thread", bytes / seconds / threads * 1e-6}}};
    });
}

/// The file's path, or none when the tool is not installed.
std::optional<std::string> compress(const std::string& path, std::vector<std::string> command,
                                    const std::string& suffix) {
    command.push_back(path);
    try {
        output_of(command);
    } catch (const Error& error) {
        if (error.failure() != Failure::kMissing) throw;
        tell("{}\n", error.what());
        return std::nullopt;
    }
    return path + suffix;
}

void add_cache(Bench& bench, const std::shared_ptr<Inputs>& inputs, std::uint64_t key) {
    for (const bool huge_pages : {false, true}) {
        bench.add(
            huge_pages ? "cache/copied" : "cache/mapped",
            [=] {
                const Stopwatch watch;
                const CacheEntry entry = inputs->cache.read(key, huge_pages);
                const double seconds = watch.seconds();
                if (!entry.storage)
                    throw Error("the cache was not used", entry.refusal, "set TMPDIR to another folder");
                return Measurement{seconds, static_cast<double>(inputs->bytes), {}};
            },
            0.02);
    }
}

/// The values of the samples, a blank behind each, as many as make a few megabytes.
std::string numbers_of(const SparseView& samples) {
    constexpr std::uint64_t kMost = 1'000'000;
    std::string text;
    for (std::uint64_t k = 0; k < std::min(kMost, samples.nonzeros()); ++k)
        text += fmt::format("{:.6g} ", samples.values[k]);
    return text + '\n';
}

bool read_decimal(const char*& p, const char* end, float& number) {
    return decimal::read_float(p, end, number) == decimal::Reading::kOk;
}

bool read_by_library(const char*& p, const char* end, float& number) {
    const auto [rest, failure] = std::from_chars(p, end, number);
    p = rest;
    return failure == std::errc{};
}

using ReadNumber = bool (*)(const char*& p, const char* end, float& number);

template <ReadNumber kRead>
void add_numbers(Bench& bench, const std::string& row, const std::shared_ptr<const std::string>& text) {
    bench.add(row, [=] {
        const Stopwatch watch;
        const char* p = text->data();
        const char* const end = p + text->size();
        float sum = 0;
        for (float number = 0; *p != '\n'; ++p) {
            if (!kRead(p, end, number)) throw Error(row + " read no number", "the text holds one there", "report it");
            sum += number;
        }
        const double seconds = watch.seconds();
        return Measurement{seconds, static_cast<double>(text->size()), {{"sum", static_cast<double>(sum)}}};
    });
}

void add_rows(Bench& bench) {
    const auto inputs = std::make_shared<Inputs>();
    const Dataset data = bench.load_data();
    write_libsvm(data.sparse(), inputs->text);
    inputs->bytes = MappedFile(inputs->text).size();
    inputs->cache.write(data.content_hash(), data.sparse());

    const unsigned all = thread_counts().back();
    struct Form {
        std::string name;
        std::optional<std::string> path;
    };
    const std::vector<Form> forms{
        {"plain", inputs->text},
        {"gzip", compress(inputs->text, {"gzip", "-k", "-1"}, ".gz")},
        {"bzip2", compress(inputs->text, {"bzip2", "-k", "-1"}, ".bz2")},
        {"xz", compress(inputs->text, {"xz", "-k", "-1", "-T0"}, ".xz")},
        {"zstd", compress(inputs->text, {"zstd", "-q", "-1"}, ".zst")},
    };
    for (const Form& form : forms) {
        if (!form.path) continue;
        add_parse(bench, form.name + "/1", inputs, *form.path, 1);
        if (all > 1) add_parse(bench, fmt::format("{}/{}", form.name, all), inputs, *form.path, all);
    }
    add_cache(bench, inputs, data.content_hash());
    const auto numbers = std::make_shared<const std::string>(numbers_of(data.sparse()));
    add_numbers<read_decimal>(bench, "numbers/decimal", numbers);
    add_numbers<read_by_library>(bench, "numbers/from_chars", numbers);
    bench.compare("numbers, decimal.h / std::from_chars", "numbers/decimal", "numbers/from_chars");
    bench.compare(fmt::format("plain, {} threads / 1", all), fmt::format("plain/{}", all), "plain/1");
    bench.compare("cache mapped / plain", "cache/mapped", "plain/1");
    bench.add_rivals(
        "", [inputs] { return inputs->text; }, 1);
    bench.compare_with_rivals("plain/1");

    const ParseMemory memory = measure_parse_memory(inputs->text);
    bench.set_note([=](const Figures& figures) {
        const std::optional<double> speed = figures.median("plain/1", "MB/s/thread");
        const double share = memory.peak_bytes / memory.array_bytes;
        return fmt::format("one core reads {} MB/s (goal >= {:.0f})\npeak memory beyond the file map: {}, {:.3f} x the "
                           "arrays (goal <= 1.30)\n",
                           speed ? fmt::format("{:.0f}", *speed) : "absent", kGoal * 1e-6,
                           human_bytes(memory.peak_bytes), share);
    });
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == hogwild::kParseMemoryOption)
        return hogwild::print_parse_memory(argv[2]);
    return hogwild::bench_main(
        argc, argv,
        {"How fast is LIBSVM text read, and how fast does a second run map the cache?", "bytes/s", "synthetic:rcv1/8",
         "a LIBSVM file and how often to read it, by one thread; bytes are its size", hogwild::add_rows});
}
