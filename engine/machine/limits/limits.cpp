#include "engine/machine/limits/limits.h"

#include "engine/machine/limits/cgroups.h"
#include "engine/machine/small_file.h"
#include "engine/numbers.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include <sys/resource.h>

namespace hogwild {
namespace {

/// Nothing: there is none, or it is not told.
std::optional<std::uint64_t> own_limit(__rlimit_resource resource) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
    return limit.rlim_cur;
}

std::string told(std::optional<std::uint64_t> limit, std::string_view form) {
    return limit ? fmt::format(fmt::runtime(form), *limit) : "";
}

bool is_of_descriptors(int error) { return error == EMFILE || error == ENFILE; }

} // namespace

std::string reason_of(int error) {
    const std::string text = std::strerror(error);
    if (error == EMFILE) {
        return fmt::format("{}: the limit of descriptors of this process is met{}", text,
                           told(own_limit(RLIMIT_NOFILE), ", {} (ulimit -n)"));
    }
    if (error == ENFILE) {
        const auto most = parse_count(read_small_file("/proc/sys/fs/file-max"));
        return fmt::format("{}: the limit of the whole system is met{}", text, told(most, ", fs.file-max = {}"));
    }
    if (error == EFBIG)
        return text +
               told(own_limit(RLIMIT_FSIZE), ": the limit of file sizes of this process is {} bytes (ulimit -f)");
    if (error == ENOMEM)
        return text + told(own_limit(RLIMIT_AS), ": this process may have {} bytes of addresses (ulimit -v)");
    return text;
}

std::string remedy_of(int error, const std::string& otherwise) {
    if (!is_of_descriptors(error)) return otherwise;
    return error == EMFILE ? "raise the limit" : "close other programs, or raise the limit (sysctl fs.file-max)";
}

std::string limits_of_processes(std::optional<std::uint64_t> own, const std::string& membership,
                                const std::filesystem::path& mount) {
    std::string limits = told(own, ", this user may have {} (ulimit -u)");
    std::optional<std::uint64_t> group;
    visit_cgroups(membership, mount, "pids", [&](const std::filesystem::path& folder, CgroupVersion) {
        const auto most = parse_count(read_small_file(folder / "pids.max")); // "max": no limit
        if (most && (!group || *most < *group)) group = most;
    });
    if (group) limits += fmt::format(", its control group {} (pids.max)", *group);
    const auto all = parse_count(read_small_file("/proc/sys/kernel/threads-max"));
    if (limits.empty() && all) limits = fmt::format(", the machine may have {} (kernel.threads-max)", *all);
    return limits;
}

std::string reason_of_start(int error) {
    if (error != EAGAIN) return reason_of(error);
    return fmt::format(
        "{}: a limit of processes and threads is met{}", std::strerror(error),
        limits_of_processes(own_limit(RLIMIT_NPROC), read_small_file("/proc/self/cgroup"), "/sys/fs/cgroup"));
}

std::string remedy_of_start(int error) {
    if (error == EAGAIN)
        return "ask for fewer threads, end other programs, or raise the limit (ulimit -u; pids.max of the control "
               "group)";
    return remedy_of(error, "free memory");
}

Error error_of(const std::system_error& error) {
    const int number = error.code().value();
    const bool of_system =
        error.code().category() == std::generic_category() || error.code().category() == std::system_category();
    if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
        return {Failure::kDisk, "cannot use " + file->path1().string(), reason_of(number),
                remedy_of(number, "check it, the folders above it and their permissions")};
    }
    if (of_system && number == EAGAIN) {
        return {"a thread or process cannot be started", reason_of_start(number), remedy_of_start(number)};
    }
    return {"the system refused", error.what(), remedy_of(of_system ? number : 0, "see whether the machine is well")};
}

} // namespace hogwild
