#include "experiments/checkpoint/kept_weights.h"

#include "engine/data/files/mapped_file.h"
#include "engine/machine/content_hash.h"
#include "experiments/files/durable.h"
#include "experiments/text/json.h"

#include <fmt/format.h>

#include <string>
#include <system_error>

namespace hogwild {
namespace {

constexpr const char* kKey = "weights";

std::filesystem::path manifest_in(const std::filesystem::path& run) { return run / "manifest.json"; }

std::string hash_of(const std::filesystem::path& file) {
    return fmt::format("{:016x}", content_hash(MappedFile(file.string()).text()));
}

bool is_regular(const std::filesystem::path& file) {
    std::error_code unseen; // what cannot be looked at is as good as absent
    return std::filesystem::is_regular_file(file, unseen);
}

} // namespace

void note_weights(const std::filesystem::path& run, const std::filesystem::path& file) {
    Json manifest = json_at(manifest_in(run));
    if (!manifest.is_object() || !is_regular(file)) return;
    manifest[kKey] = hash_of(file);
    replace_file(manifest_in(run), json_text(manifest, 2) + '\n');
}

bool has_weights(const std::filesystem::path& run, const std::filesystem::path& file) {
    const Json manifest = json_at(manifest_in(run));
    return manifest.is_object() && is_regular(file) && manifest.value(kKey, Json()) == hash_of(file);
}

} // namespace hogwild
