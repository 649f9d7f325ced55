#include "engine/gpu/bridge.h"

#include "engine/machine/profiler_range.h"
#include "kernels/cuda/memory/vector.h"
#include "kernels/exchange/exchange.h"

#include <algorithm>
#include <mutex>

namespace hogwild {

Bridge::Bridge(float* host, float* device, std::uint32_t columns, float rule, bool atomic, const BridgeCounts& counts)
    : host_(host),
      device_(device),
      rule_(rule),
      atomic_(atomic),
      counts_(counts),
      seen_(columns),
      base_(columns),
      delta_(columns),
      count_(1),
      owed_(columns) {
    std::copy_n(host, columns, base_.data());
    *count_.data() = 0;
}

std::uint64_t Bridge::by_threads() const {
    std::uint64_t sum = 0;
    for (const PublishedCount& line : counts_.threads) sum += line.value.load(std::memory_order_acquire);
    return sum;
}

void Bridge::fetch_count() {
    if (counts_.streams == nullptr) return;
    check(cudaMemcpyAsync(count_.data(), counts_.streams, count_.bytes(), cudaMemcpyDeviceToHost, stream_.get()),
          "fetching a count");
}

void Bridge::exchange() {
    const std::lock_guard lock(one_at_a_time_);
    round(atomic_);
}

void Bridge::exchange_rest() {
    const std::lock_guard lock(one_at_a_time_);
    round(false); // there is nobody to lose an increment of
}

/// Counts are looked at before what they count.
void Bridge::round(bool atomic) {
    const ProfilerRange range("bridge");
    delivered_ = by_threads();
    fetch_count();
    check(cudaMemcpyAsync(seen_.data(), device_, seen_.bytes(), cudaMemcpyDeviceToHost, stream_.get()),
          "fetching the GPU's increments");
    stream_.wait();
    const auto columns = static_cast<std::uint32_t>(seen_.size());
    const ExchangeRound round{seen_.data(), base_.data(), delta_.data(), columns, rule_};
    if (atomic) {
        exchange_atomically(host_, round);
    } else {
        exchange_racily(host_, round);
    }
    held_.store(*count_.data(), std::memory_order_release);
    check(cudaMemcpyAsync(owed_.data(), delta_.data(), owed_.bytes(), cudaMemcpyHostToDevice, stream_.get()),
          "sending the threads' increments");
    check(add_on_device(device_, owed_.data(), columns, stream_.get()), "adding the threads' increments");
    stream_.wait();
    if (counts_.delivered != nullptr) counts_.delivered->value.store(delivered_, std::memory_order_release);
    ++rounds_;
}

void Bridge::rescale(float factor) {
    const std::lock_guard lock(one_at_a_time_);
    round(false);
    const auto columns = static_cast<std::uint32_t>(base_.size());
    check(scale_on_device(device_, columns, factor, stream_.get()), "rescaling the copy");
    for (std::uint32_t j = 0; j < columns; ++j) {
        relaxed_store(host_[j], relaxed_load(host_[j]) * factor);
        base_.data()[j] *= factor;
    }
    stream_.wait();
}

} // namespace hogwild
