// What took processors from this program while it measured: other programs, a virtual machine's host, too many threads.
//
// Thread-safety: one thread at a time. Errors: none. What the system does not tell is NaN; core_wait_seconds is then 0.
// Resolution: /proc/stat counts ticks of 10 ms a processor, this program's own clock nanoseconds. So the difference for
// a short run may fall a tick below nothing. Sums over runs are right. Source: the kernel's proc(5), /proc/stat and
// /proc/self/task/*/schedstat.
#pragma once

#include <string_view>
#include <vector>

namespace hogwild {

struct Disturbance {
    double core_wait_seconds = 0;  // threads were ready to run and had no core, summed over those that live still
    double other_cpu_seconds = 0;  // of other programs, on the processors that this one may use
    double stolen_cpu_seconds = 0; // these processors were ready to run and their host ran something else
};

/// Between two moments; processors are those of the first.
class DisturbanceMeter {
public:
    /// Whether the calling thread does some of the work. One that waits for workers may find all cores taken by them, and that
    /// disturbs nothing: its own wait is left out.
    enum class Caller { kWaits, kWorks };

    void start(Caller caller);

    /// Since start, which came before; the meter goes on.
    Disturbance read() const;

private:
    struct Totals {
        double waited = 0, own = 0, busy = 0, stolen = 0; // s since something began
    };
    Totals totals() const;

    Caller caller_ = Caller::kWaits;
    std::vector<unsigned> processors_;
    Totals before_;
};

/// What these processors did since the system began, by the text of /proc/stat, in ticks.
struct ProcessorTicks {
    double busy = 0, stolen = 0; // NaN where a processor has no line
};
ProcessorTicks processor_ticks(std::string_view stat, const std::vector<unsigned>& processors);

} // namespace hogwild
