// Which file has the weights of a run that came to its end: for who asks for them again with --resume.
//
// The run's manifest.json names the file's content by its hash. So another file of that name is not taken for it. It names
// its form too, since weights may be written otherwise.
// Not thread-safe. Errors: Error (Failure::kDisk) for a file that cannot be read or written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace hogwild {

/// What --save FILE and --grid ask for beside the weights: ".npy", of an image of so many nodes ".pgm 12x8".
/// Throws Error (Failure::kUsage) for a grid that does not fit.
std::string weights_form(const std::filesystem::path& file, const std::string& grid, std::uint64_t nodes);

/// `run`: its folder. Says nothing of what is no regular file: it was written and is gone.
void note_weights(const std::filesystem::path& run, const std::filesystem::path& file, const std::string& form);

/// Whether the file is there, and has the weights of this run in this form. A manifest without a form has any.
bool has_weights(const std::filesystem::path& run, const std::filesystem::path& file, const std::string& form);

} // namespace hogwild
