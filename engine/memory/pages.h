// Anonymous memory in huge pages where the system grants them.
//
// Random access to a buffer of 4 KiB pages spends much of its time in page walks; 2 MiB pages remove them. The kernel is
// asked (madvise), never forced: without transparent huge pages the memory is ordinary and correct.
//
// What all blocks hold is counted, so that a law about memory can be stated of bytes and needs no look at the system. A page that
// nobody has written takes none: a block that is filled little by little may be counted so.
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

    /// Counted as holding nothing: whoever fills it says how far, by `hold`.
    static Pages unfilled(std::size_t bytes);

    /// At least so many bytes from the front are held. Any number of threads at once.
    void hold(std::size_t bytes);

    Pages(Pages&& other) noexcept;
    Pages& operator=(Pages&& other) noexcept;
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages();

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

    /// Cuts the block in two, and returns the bytes behind the first so many as a block of their own, 64-byte aligned.
    /// They move by less than a page. Takes no memory beyond the two, but for blocks below 2 MiB or cut before. All of
    /// the block is held.
    Pages split_off(std::size_t bytes);

    /// Bytes that all blocks of the process hold now, and the most that they held since the last watch(). Any thread.
    static std::uint64_t held();
    static std::uint64_t most_held();
    static void watch();

    /// Bytes of this block that are backed by huge pages now (from /proc/self/smaps; for reports, slow).
    std::size_t huge_bytes() const;

private:
    void map(std::size_t bytes);

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    std::size_t mapped_ = 0;
    std::size_t held_ = 0;
};

/// A fixed-size array of T in Pages; T is trivially copyable and starts as zero bytes.
template <class T>
class PageArray {
public:
    PageArray() = default;
    explicit PageArray(std::size_t size) : pages_(size * sizeof(T)), size_(size) {}

    /// As Pages::unfilled and hold.
    static PageArray unfilled(std::size_t size) {
        PageArray array;
        array.pages_ = Pages::unfilled(size * sizeof(T));
        array.size_ = size;
        return array;
    }
    void hold(std::size_t size) { pages_.hold(size * sizeof(T)); }

    T* data() const { return static_cast<T*>(pages_.data()); }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) const { return data()[i]; }
    std::span<T> span() const { return {data(), size_}; }
    const Pages& pages() const { return pages_; }

    /// The entries from `size` on, as an array of their own; what is left are those before.
    PageArray split_off(std::size_t size) {
        PageArray rest;
        rest.pages_ = pages_.split_off(size * sizeof(T));
        rest.size_ = size_ - size;
        size_ = size;
        return rest;
    }

private:
    Pages pages_;
    std::size_t size_ = 0;
};

} // namespace hogwild
