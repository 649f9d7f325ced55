#include "experiments/files/durable.h"

#include "engine/data/files/own_folder.h"
#include "engine/data/files/write_all.h"
#include "engine/error.h"
#include "engine/machine/limits/limits.h"
#include "experiments/text/tell.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hogwild {
namespace {

[[noreturn]] void refuse(const std::string& what, int error) {
    const bool is_full = error == ENOSPC || error == EDQUOT;
    throw Error(Failure::kDisk, what, reason_of(error),
                remedy_of(error, is_full ? "free some space or choose another folder with -o DIR"
                                         : "choose another folder with -o DIR"));
}

/// Writes all of text; the error, or 0.
int write_text(int file, std::string_view text) { return write_all(file, text.data(), text.size()) ? 0 : errno; }

/// fsync, where the file lies on something that can: a pipe or a device cannot and needs none.
int flush(int file) {
    if (::fsync(file) == 0 || errno == EINVAL || errno == EROFS) return 0;
    return errno;
}

} // namespace

void write_file(const std::filesystem::path& path, std::string_view text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) refuse("cannot create " + path.string(), errno);
    int error = write_text(file, text);
    if (error == 0) error = flush(file);
    if (::close(file) != 0 && error == 0) error = errno;
    if (error != 0) refuse("cannot write " + path.string(), error);
}

namespace {

/// What a folder holds keeps its name after a crash.
void flush_folder(const std::filesystem::path& path) {
    const int folder = ::open(path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) refuse("cannot open " + path.string(), errno);
    const int error = flush(folder);
    ::close(folder);
    if (error != 0) refuse("cannot flush " + path.string(), error);
}

} // namespace

void publish(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (std::filesystem::is_directory(from)) flush_folder(from);
    if (::rename(from.c_str(), to.c_str()) != 0) refuse("cannot rename to " + to.string(), errno);
    flush_folder(to.parent_path());
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
    const auto unfinished = path.parent_path() / ('.' + path.filename().string());
    ::unlink(unfinished.c_str()); // what a crash left, or somebody planted
    write_file(unfinished, text);
    publish(unfinished, path);
}

bool exchange(const std::filesystem::path& one, const std::filesystem::path& other) {
    if (std::filesystem::is_directory(one)) flush_folder(one);
    if (::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) != 0) return false;
    flush_folder(other.parent_path());
    return true;
}

void remove_folder(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) refuse("cannot remove " + path.string(), error.value());
}

void make_folder(const std::filesystem::path& path) {
    const std::error_code error = make_own_folder(path);
    if (error) refuse("cannot create the folder " + path.string(), error.value());
}

void make_empty_folder(const std::filesystem::path& path) {
    remove_folder(path);
    make_folder(path.parent_path());
    if (::mkdir(path.c_str(), 0700) != 0) refuse("cannot create the folder " + path.string(), errno);
}

void check_no_link(const std::filesystem::path& path) {
    std::error_code unseen; // what cannot be looked at is said by who writes there
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, unseen))) return;
    throw Error(Failure::kDisk, "cannot write into " + path.string(), "it is a link, which is not followed",
                "take the link away, or choose another folder with -o DIR");
}

void check_folder(const std::filesystem::path& path) {
    std::filesystem::path existing = path;
    std::error_code error; // a folder that cannot be looked at is as good as none
    while (!existing.empty() && !std::filesystem::exists(existing, error)) existing = existing.parent_path();
    // Permissions do not tell: /proc shows root as its owner and takes nothing.
    std::string probe = (existing.empty() ? "." : existing) / ".hogwild-XXXXXX";
    if (::mkdtemp(probe.data()) == nullptr) refuse("cannot create the folder " + path.string(), errno);
    ::rmdir(probe.c_str());
}

namespace {

/// Opening a pipe waits for nobody.
int open_to_append(const std::filesystem::path& path, AppendFile::Start start) {
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const int file = ::open(path.c_str(), flags | (start == AppendFile::Start::kNew ? O_EXCL : 0), 0666);
    if (file < 0) refuse("cannot create " + path.string(), errno);
    struct stat status {};
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
    ::close(file);
    refuse("cannot append to " + path.string(), EINVAL);
}

} // namespace

AppendFile::AppendFile(const std::filesystem::path& path, Start start)
    : path_(path), file_(open_to_append(path, start)) {
    flush_folder(path.parent_path());
}

AppendFile::~AppendFile() { ::close(file_); }

void AppendFile::append(std::string_view line) {
    struct stat before {};
    if (::fstat(file_, &before) != 0) refuse("cannot read the size of " + path_.string(), errno);
    int error = write_text(file_, line);
    if (error == 0) error = flush(file_);
    if (error == 0) return;
    // Half a row would spoil the rows before it; if even this fails, the reader still finds them.
    std::ignore = ::ftruncate(file_, before.st_size);
    refuse("cannot append to " + path_.string(), error);
}

void print(std::string_view text) {
    const int error = write_text(STDOUT_FILENO, text);
    if (error != 0) {
        throw Error(Failure::kDisk, "cannot write to standard output", reason_of(error),
                    "send it to a file or terminal that takes it");
    }
}

bool try_print(std::string_view text) {
    try {
        print(text);
        return true;
    } catch (const Error& error) {
        tell("hogwild: {}\n", error.what());
        return false;
    }
}

} // namespace hogwild
