// hogwild info: what this machine is and what it can do.
#include "experiments/commands/commands.h"

#include "engine/error.h"
#include "engine/machine/gpus.h"
#include "engine/machine/memory_budget.h"
#include "engine/machine/provenance.h"
#include "engine/measure/gpu_rates.h"
#include "engine/measure/measure.h"
#include "engine/numbers.h"
#include "experiments/files/durable.h"
#include "experiments/folder/manifest.h"
#include "experiments/machine/capabilities_json.h"
#include "experiments/machine/gpu_info.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/json.h"
#include "experiments/text/tell.h"
#include "experiments/text/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include <unistd.h>

namespace hogwild {
namespace {

std::string memory_text(std::uint64_t bytes) {
    return bytes == kUnknownMemory ? "unknown" : human_bytes(static_cast<double>(bytes));
}

std::string machine_text(const MachineState& state, const Topology& topology) {
    std::string text;
    const auto line = [&](const char* title, const std::string& value) {
        text += fmt::format("{:<17} {}\n", title, value.empty() ? "unknown" : value);
    };
    line("processor", state.cpu_model + (state.virtual_machine ? " (virtual machine)" : ""));
    line("usable cores", fmt::format("{} (affinity {}, quota {})", state.cores.usable, state.cores.affinity,
                                     state.cores.quota == 0 ? "none" : std::to_string(state.cores.quota)));
    line("topology", fmt::format("{} socket{}, {} NUMA node{}, {} core{}, {} processor{}", topology.sockets,
                                 topology.sockets == 1 ? "" : "s", topology.numa_nodes,
                                 topology.numa_nodes == 1 ? "" : "s", topology.cores, topology.cores == 1 ? "" : "s",
                                 topology.processors, topology.processors == 1 ? "" : "s"));
    for (const CacheLevel& cache : topology.caches) {
        line(fmt::format("L{} cache", cache.level).c_str(),
             fmt::format("{} x {}, each shared by {} processor{}", cache.instances,
                         human_bytes(static_cast<double>(cache.bytes)), cache.shared_by,
                         cache.shared_by == 1 ? "" : "s"));
    }
    line("cache line", topology.line_bytes == 0 ? "" : fmt::format("{} B", topology.line_bytes));
    line("memory",
         fmt::format("{}, available {}", memory_text(state.memory_bytes), memory_text(state.available_bytes)));
    line("huge pages", state.huge_pages);
    line("instruction sets", fmt::format("{}", fmt::join(state.instruction_sets, " ")));
    line("governor", state.governor.empty() ? "not visible" : state.governor);
    line("kernel", state.kernel);
    line("load", fmt::format("{:.2f} over the last minute", state.load_average));
    return text;
}

std::string build_text(const Build& build) {
    return fmt::format("{:<17} hogwild {}, commit {}\n{:<17} {}, {}, {}\n", "build", build.version, build.commit,
                       "compiler", build.compiler, build.type, build.flags);
}

std::string capabilities_text(const Capabilities& can) {
    std::string text;
    for (const Bandwidth& of : can.bandwidth) {
        text += fmt::format("{:<17} {:.1f} GB/s read, {:.1f} GB/s triad, {} worker{}, arrays of {}\n", "bandwidth",
                            of.read * 1e-9, of.triad * 1e-9, of.workers, of.workers == 1 ? "" : "s",
                            human_bytes(static_cast<double>(of.array_bytes)));
    }
    text += fmt::format("{:<17} {}\n", "line transfer",
                        can.line_transfer_ns ? fmt::format("{:.0f} ns from core to core", *can.line_transfer_ns)
                                             : "not measured, it takes two cores");

    TextTable table;
    table.add_column("update", Align::kLeft);
    table.add_column("workers", Align::kRight);
    table.add_column("floats", Align::kRight);
    table.add_column("M increments/s", Align::kRight);
    table.add_column("ns each", Align::kRight);
    table.add_column("kept", Align::kRight);
    for (const IncrementRate& rate : can.increments) {
        table.add_row({rate.update, std::to_string(rate.workers), grouped(rate.floats),
                       fmt::format("{:.0f}", rate.per_second * 1e-6),
                       fmt::format("{:.2f}", 1e9 * rate.workers / rate.per_second), kept_text(rate.kept)});
    }
    return text +
           fmt::format("\nRandom increments of a shared buffer (drawing a coordinate takes {:.2f} ns of each):\n\n",
                       can.draw_ns) +
           table.text();
}

} // namespace

int info_command(const InfoOptions& options) {
    const Provenance provenance = read_provenance();
    Gpus gpus = read_gpus();
    ask_free_memory(gpus);
    if (!options.json)
        print(machine_text(provenance.machine, provenance.topology) + gpu_text(gpus) + build_text(provenance.build));
    std::optional<Capabilities> can;
    std::optional<GpuRates> rates;
    std::string why_no_rates;
    if (options.measure) {
        if (isatty(STDERR_FILENO) != 0) tell("measuring, some seconds ...\n");
        can = measure_capabilities();
        try {
            rates = measure_gpu(std::max(1u, provenance.machine.cores.usable - 1)); // one core feeds the GPU
        } catch (const Error& error) { // what is known without it is worth having
            why_no_rates = error.what();
            tell("hogwild: the GPU was not measured: {}\n", why_no_rates);
        }
    }
    if (options.json) {
        Json json = {{"machine", machine_json(provenance.machine, provenance.topology)},
                     {"gpus", gpus_json(gpus)},
                     {"cuda", cuda_json(gpus)},
                     {"build", build_json(provenance.build)},
                     {"measured", can ? capabilities_json(*can) : Json()},
                     {"gpu_measured", rates ? rates_json(*rates) : Json()}};
        print(json_text(json) + '\n');
    } else {
        print((can ? capabilities_text(*can) : std::string()) + (rates ? rates_text(*rates) : std::string()));
    }
    return why_no_rates.empty() ? kExitDone : kExitError;
}

} // namespace hogwild
