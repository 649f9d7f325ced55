#include "experiments/sweep/folder/build_identity.h"

#include "engine/machine/content_hash.h"
#include "engine/machine/provenance.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace hogwild {

std::string build_identity(const std::string& commit, const std::filesystem::path& program) {
    if (commit != "unknown" && !commit.ends_with("+dirty")) return commit;
    std::ifstream file(program, std::ios::binary);
    std::ostringstream bytes;
    if (!(bytes << file.rdbuf())) return commit;
    return fmt::format("{}.{:016x}", commit, content_hash(bytes.str()));
}

const std::string& build_identity() {
    static const std::string ours = build_identity(build_facts().commit, "/proc/self/exe");
    return ours;
}

} // namespace hogwild
