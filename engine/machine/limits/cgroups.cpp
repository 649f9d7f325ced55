#include "engine/machine/limits/cgroups.h"

#include <algorithm>
#include <sstream>

namespace hogwild {
namespace {

bool names(std::string_view controllers, std::string_view wanted) {
    while (!controllers.empty()) {
        const std::size_t comma = std::min(controllers.find(','), controllers.size());
        if (controllers.substr(0, comma) == wanted) return true;
        controllers.remove_prefix(std::min(comma + 1, controllers.size()));
    }
    return false;
}

} // namespace

void visit_cgroups(const std::string& membership, const std::filesystem::path& mount, std::string_view controller,
                   const std::function<void(const std::filesystem::path&, CgroupVersion)>& visit) {
    const auto upwards = [&](const std::filesystem::path& hierarchy, const std::string& group, CgroupVersion version) {
        visit(hierarchy, version);
        std::filesystem::path relative = std::filesystem::path(group).relative_path();
        for (; !relative.empty(); relative = relative.parent_path()) visit(hierarchy / relative, version);
    };
    std::istringstream lines(membership);
    for (std::string line; std::getline(lines, line);) { // "hierarchy:controllers:path"
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string group = line.substr(second + 1);
        if (controllers.empty()) {
            upwards(mount, group, CgroupVersion::kV2);
        } else if (names(controllers, controller)) {
            const bool joined = std::filesystem::exists(mount / controllers);
            upwards(mount / (joined ? std::string_view(controllers) : controller), group, CgroupVersion::kV1);
        }
    }
}

} // namespace hogwild
