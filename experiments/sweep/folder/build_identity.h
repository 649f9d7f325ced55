// Which build measured a run: `--rerun stale` asks for the runs of others.
//
// Sources that are committed are told apart by their commit alone, whatever compiler and flags built them. A commit
// says nothing of what was changed since, nor of sources without one. Such builds are told apart by the XXH3 of the
// program's file. Thread-safe.
#pragma once

#include <filesystem>
#include <string>

namespace hogwild {

/// `commit`, of a clean tree; else with a dot and the hash of `program` behind it; `commit` where that cannot be read.
std::string build_identity(const std::string& commit, const std::filesystem::path& program);

/// The identity of this process.
const std::string& build_identity();

} // namespace hogwild
