// What an access pattern that runs on a GPU has for its kernels: a specialisation of Launcher.
//
//   template <class Problem, Scope S, class Update, class Probe>
//   static cudaError_t steps(const DevicePass& pass, LaunchShape shape, cudaStream_t stream);
//   static unsigned abreast(const AnyView& data);   // optional: DeviceKernels::abreast, one otherwise
//   static TeamLayout teams(LaunchShape shape);     // of patterns whose steps are a team's: DeviceKernels::teams
//   template <class Problem, Scope S, class Update, class Probe>   // of networks: a step's phases, launch by launch
//   static cudaError_t network_graph_phase(const NetworkGraphStep& step, const NetworkPhase& phase, bool overlaps,
//                                          cudaStream_t stream);
//
// the launches of a synchronous step, where kernels/cuda/batches/batches.h has none for its samples:
//
//   template <class Problem>
//   static cudaError_t group_batch(const GroupBatches& run, std::uint32_t number, cudaStream_t stream);
//   template <class Problem>   // of networks
//   static cudaError_t network_batch(const NetworkBatches& run, std::uint32_t number, cudaStream_t stream);
//
// and one that steps on parameters of 16 bits (kHalves, kernels/steps/steps.h), of Number (kernels/numbers/half.h):
//
//   template <class Problem, class Number, class Update, class Probe>
//   static cudaError_t half_steps(const DevicePass& pass, LaunchShape shape, cudaStream_t stream);
#pragma once

namespace hogwild::device {

template <class Pattern>
struct Launcher;

} // namespace hogwild::device
