#include "experiments/bench/harness/parse_memory.h"

#include "engine/data/files/mapped_file.h"
#include "engine/data/sparse/libsvm.h"
#include "engine/machine/content_hash.h"
#include "engine/machine/small_file.h"
#include "engine/machine/topology.h"
#include "experiments/bench/harness/csr_bytes.h"
#include "experiments/bench/harness/subprocess.h"

#include <cstdlib>

#include <fmt/format.h>

namespace hogwild {
namespace {

double status_bytes(const std::string& key) {
    return 1024 * std::strtod(field_of(read_small_file("/proc/self/status"), key).c_str(), nullptr);
}

} // namespace

ParseMemory measure_parse_memory(const std::string& path) {
    const std::string text = output_of({"/proc/self/exe", kParseMemoryOption, path});
    ParseMemory memory;
    char* rest = nullptr;
    memory.peak_bytes = std::strtod(text.c_str(), &rest);
    memory.array_bytes = std::strtod(rest, nullptr);
    return memory;
}

int print_parse_memory(const std::string& path) {
    const MappedFile file(path);
    content_hash(file.text()); // touches every page of the map, which must not count
    const double before = status_bytes("VmRSS");
    const LibsvmData data = read_libsvm(file.text(), path);
    fmt::print("{:.0f} {:.0f}\n", status_bytes("VmHWM") - before, csr_bytes(data.arrays->view()));
    return 0;
}

} // namespace hogwild
