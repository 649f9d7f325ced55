#include "engine/machine/disturbance.h"

#include "engine/machine/cores.h"
#include "engine/machine/small_file.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <system_error>

#include <unistd.h>

namespace hogwild {
namespace {

/// The waits of all threads but one.
double core_wait_seconds(const std::string& left_out) {
    double nanoseconds = 0;
    std::error_code refused;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", refused)) {
        if (task.path().filename() == left_out) continue;
        std::ifstream file(task.path() / "schedstat"); // of a thread that has just ended it is empty
        double running = 0, waiting = 0;
        if (file >> running >> waiting) nanoseconds += waiting;
    }
    return nanoseconds * 1e-9;
}

double own_cpu_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace

ProcessorTicks processor_ticks(std::string_view stat, const std::vector<unsigned>& processors) {
    ProcessorTicks ticks;
    std::size_t found = 0;
    std::istringstream lines{std::string(stat)};
    for (std::string line; std::getline(lines, line) && line.starts_with("cpu");) {
        std::istringstream words(line.substr(3));
        unsigned processor = 0;
        std::array<double, 8> spent{}; // user, nice, system, idle, waiting for a disk, interrupts of two kinds, stolen
        if (line.starts_with("cpu ") || !(words >> processor)) continue; // the sum of all
        if (!std::ranges::binary_search(processors, processor)) continue;
        for (double& value : spent) words >> value;
        if (!words) break;
        ticks.busy += spent[0] + spent[1] + spent[2] + spent[5] + spent[6];
        ticks.stolen += spent[7];
        ++found;
    }
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    return found == processors.size() ? ticks : ProcessorTicks{kUnknown, kUnknown};
}

DisturbanceMeter::Totals DisturbanceMeter::totals() const {
    const double ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
    const ProcessorTicks ticks = processor_ticks(read_small_file("/proc/stat"), processors_);
    const std::string left_out = caller_ == Caller::kWaits ? std::to_string(::gettid()) : "";
    return {core_wait_seconds(left_out), own_cpu_seconds(), ticks.busy / ticks_per_second,
            ticks.stolen / ticks_per_second};
}

void DisturbanceMeter::start(Caller caller) {
    caller_ = caller;
    processors_ = affinity_processors();
    before_ = totals();
}

Disturbance DisturbanceMeter::read() const {
    const Totals now = totals();
    return {std::max(0.0, now.waited - before_.waited), // a thread that ended takes its own away
            now.busy - before_.busy - (now.own - before_.own), now.stolen - before_.stolen};
}

} // namespace hogwild
