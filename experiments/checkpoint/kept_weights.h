// Which file has the weights of a run that came to its end: for who asks for them again with --resume.
//
// The run's manifest.json names the file's content by its hash, so that another file of that name is not taken for it.
// Not thread-safe. Errors: Error (Failure::kDisk) for a file that cannot be read or written.
#pragma once

#include <filesystem>

namespace hogwild {

/// `run`: its folder. Says nothing of what is no regular file: it was written and is gone.
void note_weights(const std::filesystem::path& run, const std::filesystem::path& file);

/// Whether the file is there, and has the weights of this run.
bool has_weights(const std::filesystem::path& run, const std::filesystem::path& file);

} // namespace hogwild
