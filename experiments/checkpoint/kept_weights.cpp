#include "experiments/checkpoint/kept_weights.h"

#include "engine/data/files/mapped_file.h"
#include "engine/machine/content_hash.h"
#include "experiments/files/durable.h"
#include "experiments/model/model.h"
#include "experiments/text/json.h"

#include <fmt/format.h>

#include <string>
#include <system_error>

namespace hogwild {
namespace {

constexpr const char* kKey = "weights";
constexpr const char* kForm = "weights_form";

std::filesystem::path manifest_in(const std::filesystem::path& run) { return run / "manifest.json"; }

std::string hash_of(const std::filesystem::path& file) {
    return fmt::format("{:016x}", content_hash(MappedFile(file.string()).text()));
}

bool is_regular(const std::filesystem::path& file) {
    std::error_code unseen; // what cannot be looked at is as good as absent
    return std::filesystem::is_regular_file(file, unseen);
}

} // namespace

std::string weights_form(const std::filesystem::path& file, const std::string& grid, std::uint64_t nodes) {
    const std::string ending = file.extension().string();
    if (!is_image(file.string())) return ending;
    const ImageSize size = image_size(grid, nodes);
    return fmt::format("{} {}x{}", ending, size.width, size.height);
}

void note_weights(const std::filesystem::path& run, const std::filesystem::path& file, const std::string& form) {
    Json manifest = json_at(manifest_in(run));
    if (!manifest.is_object() || !is_regular(file)) return;
    manifest[kKey] = hash_of(file);
    manifest[kForm] = form;
    replace_file(manifest_in(run), json_text(manifest, 2) + '\n');
}

bool has_weights(const std::filesystem::path& run, const std::filesystem::path& file, const std::string& form) {
    const Json manifest = json_at(manifest_in(run));
    return manifest.is_object() && is_regular(file) && manifest.value(kForm, Json(form)) == form &&
           manifest.value(kKey, Json()) == hash_of(file);
}

} // namespace hogwild
