// SHA-256 (FIPS 180-4) of bytes as they come, as 64 hexadecimal digits.
//
// Not thread-safe. Errors: Error when libcrypto refuses; of a file: Error (Failure::kDisk) when it cannot be read.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace hogwild {

class Sha256 {
public:
    Sha256();

    void add(std::string_view bytes);

    /// The hash of all that was added; nothing can be added afterwards.
    std::string hex();

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string sha256_of(const std::filesystem::path& file);

} // namespace hogwild
