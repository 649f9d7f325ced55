// Launches of steps over edges. The rows of an edge's ends get as many lanes as there are classes, up to 16. They get
// 32 where more numbers than fit 16 lanes' registers are held.
#pragma once

#include "kernels/cuda/batches/edge_batch.cuh"
#include "kernels/cuda/batches/group_batches.cuh"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/edges/edge_steps.cuh"
#include "kernels/cuda/launches/launcher.cuh"
#include "kernels/cuda/probes/none.cuh"
#include "kernels/problem.h"

#include <concepts>

namespace hogwild::device {

template <>
struct Launcher<EdgeEnds> {
private:
    using Kernel = void (*)(PassOver<EdgesView>);

    /// Precondition: classes <= EdgesView::kMostClasses.
    template <class Probe, class F>
    static auto with_form(std::uint32_t classes, const F& f) {
        static_assert(EdgesView::kMostClasses == 32 * 32);
        if (classes == 2) return f(TwoClasses{});
        if constexpr (std::same_as<Probe, NoProbe>) {
            if (classes <= 4) return f(ManyClasses<4, 1>{});
            if (classes <= 8) return f(ManyClasses<8, 1>{});
            if (classes <= 16) return f(ManyClasses<16, 1>{});
            if (classes > 64 && classes <= 256) return f(ManyClasses<32, 8>{});
        }
        return classes <= 64 ? f(ManyClasses<16, 4>{}) : f(ManyClasses<32, 32>{});
    }

public:
    template <class Problem, Scope S, class Update, class Probe>
    static cudaError_t steps(const DevicePass& given, LaunchShape shape, cudaStream_t stream) {
        const PassOver<EdgesView> pass(given);
        const Kernel kernel = with_form<Probe>(
            pass.data.classes, []<class Form>(Form) -> Kernel { return edge_steps<Form, Problem, S, Update, Probe>; });
        kernel<<<shape.blocks, shape.warps * kWarp, 0, stream>>>(pass);
        return cudaGetLastError();
    }

    template <class Problem>
    static cudaError_t group_batch(const GroupBatches& run, std::uint32_t number, cudaStream_t stream) {
        return with_form<NoProbe>(run.data.as<EdgesView>().classes, [&]<class Form>(Form) {
            return launch_group_batch<EdgeBatch<Problem, Form>>(run, number, stream);
        });
    }

    static unsigned abreast(const AnyView& data) {
        return with_form<NoProbe>(data.as<EdgesView>().classes, []<class Form>(Form) { return kWarp / Form::kLanes; });
    }
};

} // namespace hogwild::device
