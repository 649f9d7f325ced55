#include "experiments/machine/gpu_info.h"

#include "engine/numbers.h"
#include "experiments/text/json.h"
#include "experiments/text/text_table.h"

#include <fmt/format.h>

namespace hogwild {
namespace {

std::string millions(const std::optional<double>& per_second) { return per_second ? human(*per_second * 1e-6) : "-"; }

} // namespace

std::string kept_text(const std::optional<double>& kept) {
    if (!kept) return "-";
    if (*kept == 1) return "100 %";
    return *kept > 0.9999 ? ">99.99 %" : fmt::format("{:.2f} %", 100 * *kept);
}

std::string gpu_text(const Gpus& gpus) {
    if (gpus.list.empty()) return fmt::format("{:<17} none ({})\n", "GPU", gpus.why_none);
    std::string text = fmt::format("{:<17} driver {} (knows CUDA {}), runtime {}\n", "CUDA",
                                   gpus.driver.empty() ? "unknown" : gpus.driver, gpus.driver_cuda, gpus.runtime_cuda);
    for (std::size_t i = 0; i < gpus.list.size(); ++i) {
        const Gpu& gpu = gpus.list[i];
        const auto bytes = [](std::uint64_t count) { return human_bytes(static_cast<double>(count)); };
        text +=
            fmt::format("{:<17} {}, compute capability {}.{}, {} multiprocessors, {} memory{}, {} second-level cache\n",
                        fmt::format("GPU {}", i), gpu.name, gpu.compute_major, gpu.compute_minor, gpu.multiprocessors,
                        bytes(gpu.memory_bytes), gpu.free_bytes ? ", " + bytes(*gpu.free_bytes) + " free" : "",
                        bytes(gpu.cache_bytes));
        const auto attribute = [&](const char* title, const char* name, bool value, const char* yes, const char* no) {
            text += fmt::format("{:<17} {} = {}: {}\n", title, name, value ? 1 : 0, value ? yes : no);
        };
        attribute(
            "  sharing", "concurrentManagedAccess", gpu.concurrent_managed_access,
            "CPU threads and GPU may touch managed memory at the same time, and their increments are atomic there",
            "no CPU thread may touch managed memory while the GPU works");
        attribute("", "hostNativeAtomicSupported", gpu.host_native_atomics,
                  "increments of both sides to mapped memory are atomic",
                  "increments of both sides to one cell of mapped memory are not atomic: some are lost");
        attribute("", "pageableMemoryAccess", gpu.pageable_memory_access,
                  "the GPU reaches ordinary memory (no run uses that)", "the GPU does not reach ordinary memory");
        attribute("", "directManagedMemAccessFromHost", gpu.direct_managed_access_from_host,
                  "CPU threads reach managed pages on the GPU in place",
                  "a managed page on the GPU moves to the host when a CPU thread touches it");
    }
    return text;
}

Json cuda_json(const Gpus& gpus) {
    const auto known = [](const std::string& version) { return version.empty() ? Json() : Json(version); };
    return {{"driver", known(gpus.driver)},
            {"driver_cuda", known(gpus.driver_cuda)},
            {"runtime_cuda", known(gpus.runtime_cuda)}};
}

Json gpus_json(const Gpus& gpus) {
    Json list = Json::array();
    for (const Gpu& gpu : gpus.list) {
        list.push_back({{"name", gpu.name},
                        {"compute_capability", fmt::format("{}.{}", gpu.compute_major, gpu.compute_minor)},
                        {"multiprocessors", gpu.multiprocessors},
                        {"memory_bytes", gpu.memory_bytes},
                        {"free_bytes", optional_json(gpu.free_bytes)},
                        {"cache_bytes", gpu.cache_bytes},
                        {"shared_bytes", gpu.shared_bytes},
                        {"concurrent_managed_access", gpu.concurrent_managed_access},
                        {"host_native_atomics", gpu.host_native_atomics},
                        {"pageable_memory_access", gpu.pageable_memory_access},
                        {"direct_managed_access_from_host", gpu.direct_managed_access_from_host}});
    }
    return list;
}

std::string rates_text(const GpuRates& rates) {
    const LinkRates& link = rates.link;
    std::string text = fmt::format(
        "\n{:<17} {:.1f} GB/s to the GPU, {:.1f} GB/s from it, {:.2f} TB/s within it; 4 KiB arrive after {}\n", "link",
        link.to_device * 1e-9, link.from_device * 1e-9, link.within_device * 1e-12,
        human_seconds(link.small_copy_seconds));
    TextTable table;
    table.add_column("memory", Align::kLeft);
    table.add_column("update", Align::kLeft);
    table.add_column("GPU alone, M/s", Align::kRight);
    table.add_column("CPU alone, M/s", Align::kRight);
    table.add_column("GPU beside, M/s", Align::kRight);
    table.add_column("CPU beside, M/s", Align::kRight);
    table.add_column("kept", Align::kRight);
    for (const SharedIncrements& of : rates.increments) {
        table.add_row({of.memory, of.update, millions(of.gpu_alone), millions(of.cpu_alone), millions(of.gpu_beside),
                       millions(of.cpu_beside), kept_text(of.kept)});
    }
    return text +
           fmt::format("\nRandom increments of {} shared floats, by the GPU, by CPU threads, and by both together:\n\n",
                       grouped(rates.increments.empty() ? 0 : rates.increments[0].floats)) +
           table.text() +
           fmt::format(
               "\nAt once in device memory, by the GPU alone: four neighbouring floats {} M/s (atomic where rows are "
               "dense), two bf16 {} M/s.\nA bf16 has 8 significant bits and loses increments below 1/512 of a weight "
               "to rounding to the nearest: runs on --memory device-bf16 round without bias.\n",
               human(rates.wide.four_floats * 1e-6), millions(rates.wide.two_bfloats));
}

Json rates_json(const GpuRates& rates) {
    Json increments = Json::array();
    for (const SharedIncrements& of : rates.increments) {
        increments.push_back({{"memory", of.memory},
                              {"update", of.update},
                              {"floats", of.floats},
                              {"gpu_alone_per_second", of.gpu_alone},
                              {"cpu_alone_per_second", optional_json(of.cpu_alone)},
                              {"gpu_beside_per_second", optional_json(of.gpu_beside)},
                              {"cpu_beside_per_second", optional_json(of.cpu_beside)},
                              {"kept", optional_json(of.kept)}});
    }
    return {{"to_device_bytes_per_second", rates.link.to_device},
            {"from_device_bytes_per_second", rates.link.from_device},
            {"within_device_bytes_per_second", rates.link.within_device},
            {"small_copy_seconds", rates.link.small_copy_seconds},
            {"increments", increments},
            {"four_floats_per_second", rates.wide.four_floats},
            {"two_bf16_per_second", optional_json(rates.wide.two_bfloats)}};
}

} // namespace hogwild
