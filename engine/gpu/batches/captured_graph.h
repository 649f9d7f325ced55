// Owner of a CUDA graph: what was put on a stream once, to be launched again and again. Only in builds with CUDA. Move only.
//
// Thread-safety: one thread at a time. Errors: throws Error.
#pragma once

#include "engine/gpu/cuda_error.h"
#include "engine/gpu/stream.h"

#include <utility>

namespace hogwild {

class CapturedGraph {
public:
    CapturedGraph() = default;

    /// Captures what `put` puts on the stream, which nobody else uses meanwhile.
    template <class Put>
    CapturedGraph(const Stream& stream, const Put& put) {
        check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "capturing a graph");
        cudaGraph_t graph = nullptr;
        try {
            put();
        } catch (...) {
            cudaStreamEndCapture(stream.get(), &graph);
            cudaGraphDestroy(graph);
            throw;
        }
        check(cudaStreamEndCapture(stream.get(), &graph), "capturing a graph");
        const cudaError_t made = cudaGraphInstantiate(&graph_, graph, 0);
        cudaGraphDestroy(graph);
        check(made, "making a graph");
    }

    CapturedGraph(CapturedGraph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
    CapturedGraph& operator=(CapturedGraph&& other) noexcept {
        std::swap(graph_, other.graph_);
        return *this;
    }
    CapturedGraph(const CapturedGraph&) = delete;
    CapturedGraph& operator=(const CapturedGraph&) = delete;
    ~CapturedGraph() {
        if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
    }

    bool empty() const { return graph_ == nullptr; }

    /// To the device, so that the first launch need not.
    void send(const Stream& stream) const {
        check(cudaGraphUpload(graph_, stream.get()), "sending a graph to the device");
    }

    void launch(const Stream& stream) const { check(cudaGraphLaunch(graph_, stream.get()), "launching a graph"); }

private:
    cudaGraphExec_t graph_ = nullptr;
};

} // namespace hogwild
