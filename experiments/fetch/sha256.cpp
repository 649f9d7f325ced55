#include "experiments/fetch/sha256.h"

#include "engine/error.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hogwild {
namespace {

void demand(bool done) {
    if (!done) {
        throw Error("SHA-256 cannot be computed", "libcrypto refused", "free memory, or look at its configuration");
    }
}

} // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    demand(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::add(std::string_view bytes) { demand(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1); }

std::string Sha256::hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    demand(EVP_DigestFinal_ex(context_.get(), digest, &size) == 1);
    std::string text;
    for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
}

std::string sha256_of(const std::filesystem::path& file) {
    const auto refuse = [&] {
        throw Error(Failure::kDisk, "cannot read " + file.string(), std::strerror(errno), "check its permissions");
    };
    const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0) refuse();
    struct stat status {};
    if (::fstat(opened, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        ::close(opened);
        throw Error(Failure::kDisk, "cannot read " + file.string(), "it is no regular file", "delete it");
    }
    Sha256 sum;
    std::vector<char> block(1 << 20);
    ssize_t got = 0;
    do {
        got = ::read(opened, block.data(), block.size());
        if (got > 0) sum.add({block.data(), static_cast<std::size_t>(got)});
    } while (got > 0 || (got < 0 && errno == EINTR));
    const int error = errno;
    ::close(opened);
    errno = error;
    if (got < 0) refuse();
    return sum.hex();
}

} // namespace hogwild
