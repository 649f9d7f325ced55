// One line on standard error that is redrawn while a run works; nothing at all when it is not a terminal.
//
// A thread of its own reads the run's counter four times a second, which costs the run nothing it could measure.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace hogwild {

class Progress {
public:
    /// `total` samples of work, counted in `done`; the line begins with `title`. Draws only if `wanted` and a terminal.
    Progress(bool wanted, std::string title, double total, const std::atomic<std::uint64_t>& done);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

private:
    void draw();

    std::string title_;
    double total_;
    const std::atomic<std::uint64_t>& done_;
    std::mutex mutex_;
    std::condition_variable stop_;
    bool stopping_ = false;
    std::thread thread_;
};

} // namespace hogwild
