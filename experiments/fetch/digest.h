// SHA-256 (FIPS 180-4) and MD5 (RFC 1321) of bytes as they come, as lower-case hexadecimal digits.
//
// Not thread-safe. Errors: Error when libcrypto refuses; of a file: Error (Failure::kDisk) when it cannot be read.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_md_ctx_st;
struct evp_md_st;

namespace hogwild {

class Digest {
public:
    static Digest sha256();
    static Digest md5(); // libcrypto refuses it where only approved algorithms are allowed

    void add(std::string_view bytes);

    /// The hash of all that was added; nothing can be added afterwards.
    std::string hex();

private:
    explicit Digest(const evp_md_st* kind);

    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

/// The sum of a file, read until its end or an interrupt: then there is none.
std::optional<std::string> digest_of(const std::filesystem::path& file, Digest digest,
                                     const std::atomic<bool>& interrupt);

} // namespace hogwild
