#include "engine/optimum/optimum_cache.h"

#include "engine/data/files/atomic_file.h"
#include "engine/data/files/mapped_file.h"
#include "engine/data/files/own_folder.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::string_view kVersion = "hogwild optimum 1";

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

/// The shortest text that reads back to the same bits.
std::string exact(double number) { return fmt::format("{}", number); }

template <class Number>
bool parse(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

/// Whether its numbers can be an optimum's: a right checksum says only that they are those that were written.
bool is_sound(const Optimum& optimum) {
    constexpr double kRounding = 1e-12;
    const double parts[] = {optimum.initial, optimum.value, optimum.lower, optimum.gap, optimum.seconds};
    if (!std::ranges::all_of(parts, [](double part) { return std::isfinite(part); })) return false;
    const double apart = std::abs(optimum.value - optimum.lower - optimum.gap);
    return optimum.gap >= 0 && optimum.lower <= optimum.value && optimum.value <= optimum.initial &&
           apart <= kRounding * (std::abs(optimum.value) + std::abs(optimum.lower)) && optimum.seconds >= 0;
}

std::filesystem::path file_of(const std::filesystem::path& folder, const OptimumKey& key) {
    const std::string text = hex(key.data) + ' ' + key.problem + ' ' + exact(key.l2);
    return folder / ("optimum-" + key.problem + '-' + hex(content_hash(text)) + ".txt");
}

} // namespace

std::uint64_t hash_of(const SparseView& data) {
    const std::uint64_t parts[] = {
        data.rows,
        data.rows == 0 ? 0 : content_hash(data.offsets, (data.rows + 1) * sizeof *data.offsets),
        content_hash(data.indices, data.nonzeros() * sizeof *data.indices),
        content_hash(data.values, data.nonzeros() * sizeof *data.values),
        content_hash(data.labels, data.rows * sizeof *data.labels),
    };
    return content_hash(parts, sizeof parts);
}

std::string to_text(const OptimumKey& key, const Optimum& optimum) {
    std::string text{kVersion};
    const auto line = [&text](const char* name, const std::string& value) {
        text += std::string("\n") + name + ' ' + value;
    };
    line("data", hex(key.data));
    line("problem", key.problem);
    line("lambda", exact(key.l2));
    line("initial", exact(optimum.initial));
    line("value", exact(optimum.value));
    line("lower", exact(optimum.lower));
    line("gap", exact(optimum.gap));
    line("converged", optimum.converged ? "1" : "0");
    line("passes", std::to_string(optimum.passes));
    line("seconds", exact(optimum.seconds));
    text += '\n';
    return text + "checksum " + hex(content_hash(text)) + '\n';
}

std::optional<Optimum> from_text(const OptimumKey& key, const std::string& text) {
    const std::size_t last = text.rfind("checksum ");
    if (last == std::string::npos) return {};
    const std::string_view body(text.data(), last);
    if (text.substr(last) != "checksum " + hex(content_hash(body)) + '\n') return {};
    std::istringstream lines{std::string(body)};
    std::string line;
    if (!std::getline(lines, line) || line != kVersion) return {};
    std::vector<std::string> values;
    for (const char* name :
         {"data", "problem", "lambda", "initial", "value", "lower", "gap", "converged", "passes", "seconds"}) {
        const std::string start = std::string(name) + ' ';
        if (!std::getline(lines, line) || line.compare(0, start.size(), start) != 0) return {};
        values.push_back(line.substr(start.size()));
    }
    if (values[0] != hex(key.data) || values[1] != key.problem || values[2] != exact(key.l2)) return {};
    Optimum optimum;
    optimum.converged = values[7] == "1";
    const bool whole = parse(values[3], optimum.initial) && parse(values[4], optimum.value) &&
                       parse(values[5], optimum.lower) && parse(values[6], optimum.gap) &&
                       parse(values[8], optimum.passes) && parse(values[9], optimum.seconds);
    const bool said = values[7] == "1" || values[7] == "0";
    if (!whole || !said || !is_sound(optimum)) return {};
    return optimum;
}

std::optional<Optimum> load_optimum(const std::filesystem::path& folder, const OptimumKey& key) {
    const std::string path = file_of(folder, key);
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown)) return {};
    try {
        const MappedFile file(path);
        return file.is_own() ? from_text(key, std::string(file.text())) : std::nullopt;
    } catch (const Error&) { // one that cannot be read only costs solving
        return {};
    }
}

void store_optimum(const std::filesystem::path& folder, const OptimumKey& key, const Optimum& optimum) {
    make_own_folder(folder); // told by the write that then fails
    AtomicFile file(file_of(folder, key).string(), AtomicFile::Readers::kUserAlone);
    file.write(to_text(key, optimum));
    file.commit();
}

Optimum solve_cached(const std::filesystem::path& folder, std::string_view problem, const SparseView& data, double l2,
                     const OptimumOptions& options) {
    const OptimumKey key{hash_of(data), std::string(problem), l2};
    if (const std::optional<Optimum> kept = load_optimum(folder, key)) {
        if (kept->gap <= options.wanted_gap(kept->initial, kept->value)) return *kept;
    }
    Optimum optimum = solve(problem, data, l2, options);
    if (optimum.converged) store_optimum(folder, key, optimum);
    return optimum;
}

} // namespace hogwild
