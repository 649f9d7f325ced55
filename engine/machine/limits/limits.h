// Limits of this process and of the machine that a system call met, by their names: what an errno means and what to try.
//
// Descriptors: RLIMIT_NOFILE (EMFILE) and fs.file-max (ENFILE). Files' sizes: RLIMIT_FSIZE (EFBIG). Addresses: RLIMIT_AS
// (ENOMEM). Processes and threads: RLIMIT_NPROC, pids.max of control groups
// and kernel.threads-max, which all end in EAGAIN. Numbers that the system does not tell are left out.
// Any thread may call; nothing is cached. Source: getrlimit(2), fork(2), the kernel's admin-guide/cgroup-v2.
#pragma once

#include "engine/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace hogwild {

/// Why a call that opens, writes or maps was refused: the system's text, and the limit where one was met.
std::string reason_of(int error);

/// What to try: to raise the limit where one of descriptors was met, else `otherwise`.
std::string remedy_of(int error, const std::string& otherwise);

/// The same of a process or a thread that could not be started.
std::string reason_of_start(int error);
std::string remedy_of_start(int error);

/// "this user may have 64 (ulimit -u), ...": the limits of processes and threads that bind here. `membership` and `mount` as
/// for visit_cgroups; `own` is RLIMIT_NPROC, nothing where there is none.
std::string limits_of_processes(std::optional<std::uint64_t> own, const std::string& membership,
                                const std::filesystem::path& mount);

/// An exception of the standard library that the system's errno stands behind, as an error for people.
Error error_of(const std::system_error& error);

} // namespace hogwild
