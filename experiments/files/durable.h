// Files that survive a crash: whole or absent, and on disk when the call returns.
//
// Errors: Error (Failure::kDisk) that names the file and the system's reason; a file that could not be written whole is
// left as it was before.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hogwild {

/// Writes a new file and flushes it to disk. Whatever has its name, a link too, is an error.
void write_file(const std::filesystem::path& path, std::string_view text);

/// The same for a file that may be there already and is read by others: it is the old one or the new one, whole. A link of
/// its name makes way.
void replace_file(const std::filesystem::path& path, std::string_view text);

/// Renames `from` to `to` and flushes the folder that holds them, so that the new name survives a crash.
void publish(const std::filesystem::path& from, const std::filesystem::path& to);

/// Two names change their files or folders, at once, flushed. False: the file system cannot.
bool exchange(const std::filesystem::path& one, const std::filesystem::path& other);

/// rm -r; nothing where there is nothing.
void remove_folder(const std::filesystem::path& path);

/// mkdir -p; what is made is the user's alone (engine/data/files/own_folder.h).
void make_folder(const std::filesystem::path& path);

/// An empty folder where nothing else was: a folder of that name, or a link, makes way. What a link leads to stays.
void make_empty_folder(const std::filesystem::path& path);

/// Refuses a link in place of a folder of ours, such as DIR/tuning: what is written there would lie elsewhere.
void check_no_link(const std::filesystem::path& path);

/// Throws what make_folder would, or the first file in it; leaves nothing behind.
void check_folder(const std::filesystem::path& path);

/// A file that only grows, one whole line at a time. Not thread-safe.
class AppendFile {
public:
    enum class Start { kNew, kAnywhere };

    /// kNew: creates the file, which must not exist. kAnywhere: goes on at its end, if it exists; links are not followed.
    explicit AppendFile(const std::filesystem::path& path, Start start = Start::kNew);
    ~AppendFile();
    AppendFile(const AppendFile&) = delete;
    AppendFile& operator=(const AppendFile&) = delete;

    /// Appends with a single write and flushes it to disk; a line that did not fit whole is taken back.
    void append(std::string_view line);

private:
    std::filesystem::path path_;
    int file_;
};

/// Writes to standard output now. Errors: as above, for instance when it goes to a full disk.
void print(std::string_view text);

/// As print; what goes wrong is told on standard error, so that the rest can still be saved. Returns whether it was written.
bool try_print(std::string_view text);

} // namespace hogwild
