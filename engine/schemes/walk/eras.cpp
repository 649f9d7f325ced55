#include "engine/schemes/walk/eras.h"

#include "engine/plan/plan.h"

#include <exception>
#include <utility>

namespace hogwild {

Eras::Eras(Job& job, unsigned workers, std::uint64_t walked)
    : Eras(job, workers, walked, [&job, workers](unsigned worker, float factor, std::uint64_t era) {
          if (job.gpu == nullptr) {
              const CoordinateRange range = slice(job.buffer.size(), worker, workers);
              if (job.contexts.publication() != nullptr) return job.contexts.rescale(range.begin, range.end, factor);
              const auto seed = static_cast<std::uint32_t>(job.plan.seed + (era << 16));
              job.buffer.rescale_stepped(range.begin, range.end, factor, seed);
          } else if (worker == 0) {
              job.gpu->rescale(factor);
          }
      }) {}

Eras::Eras(Job& job, unsigned workers, std::uint64_t walked, Rescale rescale)
    : job_(job), rescale_(std::move(rescale)), walked_(walked), barrier_(workers, job.yields, &job.team.failed()) {}

void Eras::Visitor::reach(std::uint64_t g) {
    Job& job = eras_.job_;
    for (; end_ <= g && end_ < job.timeline.chunks(); end_ = job.timeline.era_end(end_)) {
        if (worker_ == 0) eras_.stop_ = job.interrupted(); // one worker's look, so that all rescale or none
        eras_.barrier_.wait(worker_);
        if (eras_.stop_) {
            end_ = job.timeline.chunks();
            return;
        }
        std::exception_ptr error;
        try {
            eras_.rescale_(worker_, static_cast<float>(job.timeline.scale_after(end_ - 1)), passed_);
        } catch (...) {
            error = std::current_exception();
            job.failed.store(true, std::memory_order_relaxed); // published by the barrier: nobody rescales again
        }
        eras_.barrier_.wait(worker_); // whatever happened: the others wait there
        ++passed_;
        if (!error) continue;
        end_ = job.timeline.era_end(end_);
        std::rethrow_exception(error);
    }
}

} // namespace hogwild
