#include "experiments/fetch/digest.h"

#include "engine/error.h"
#include "engine/machine/limits/limits.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hogwild {
namespace {

void demand(bool done) {
    if (!done) {
        throw Error("a checksum cannot be computed", "libcrypto refused", "free memory, or look at its configuration");
    }
}

} // namespace

void Digest::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Digest::Digest(const evp_md_st* kind) : context_(EVP_MD_CTX_new()) {
    demand(context_ && EVP_DigestInit_ex(context_.get(), kind, nullptr) == 1);
}

Digest Digest::sha256() { return Digest(EVP_sha256()); }

Digest Digest::md5() { return Digest(EVP_md5()); }

void Digest::add(std::string_view bytes) { demand(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1); }

std::string Digest::hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    demand(EVP_DigestFinal_ex(context_.get(), digest, &size) == 1);
    std::string text;
    for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
}

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, int error) {
    throw Error(Failure::kDisk, "cannot read " + file.string(), reason_of(error),
                remedy_of(error, "check its permissions"));
}

/// 1: all that is left of the file. 0: interrupted. Below 0: the errno of what went wrong, negated.
int add_all(int opened, Digest& digest, const std::atomic<bool>& interrupt) {
    std::vector<char> block(1 << 20);
    while (!interrupt.load(std::memory_order_relaxed)) {
        const ssize_t got = ::read(opened, block.data(), block.size());
        if (got < 0 && errno != EINTR) return -errno;
        if (got == 0) return 1;
        if (got > 0) digest.add({block.data(), static_cast<std::size_t>(got)});
    }
    return 0;
}

} // namespace

std::optional<std::string> digest_of(const std::filesystem::path& file, Digest digest,
                                     const std::atomic<bool>& interrupt) {
    const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0) refuse(file, errno);
    struct stat status {};
    if (::fstat(opened, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        ::close(opened);
        throw Error(Failure::kDisk, "cannot read " + file.string(), "it is no regular file", "delete it");
    }
    const int whole = add_all(opened, digest, interrupt);
    ::close(opened);
    if (whole < 0) refuse(file, -whole);
    if (whole == 0) return {};
    return digest.hex();
}

} // namespace hogwild
