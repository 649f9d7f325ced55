// Anonymous memory in huge pages where the system grants them.
//
// Random access to a buffer of 4 KiB pages spends much of its time in page walks; 2 MiB pages remove them. The kernel is
// asked (madvise), never forced: without transparent huge pages the memory is ordinary and correct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hogwild {

/// Owns zeroed, 2 MiB-aligned memory (64-byte aligned when small). Moves, never copies. Throws Error when refused.
class Pages {
public:
    Pages() = default;
    explicit Pages(std::size_t bytes);
    Pages(Pages&& other) noexcept;
    Pages& operator=(Pages&& other) noexcept;
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages();

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

    /// Bytes of this block that are backed by huge pages now (from /proc/self/smaps; for reports, slow).
    std::size_t huge_bytes() const;

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    std::size_t mapped_ = 0;
};

/// A fixed-size array of T in Pages; T is trivially copyable and starts as zero bytes.
template <class T>
class PageArray {
public:
    PageArray() = default;
    explicit PageArray(std::size_t size) : pages_(size * sizeof(T)), size_(size) {}

    T* data() const { return static_cast<T*>(pages_.data()); }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) const { return data()[i]; }
    std::span<T> span() const { return {data(), size_}; }
    const Pages& pages() const { return pages_; }

private:
    Pages pages_;
    std::size_t size_ = 0;
};

} // namespace hogwild
