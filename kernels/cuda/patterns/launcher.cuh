// What an access pattern that runs on a GPU has for its kernels: a specialisation of Launcher.
//
//   template <class Problem, Scope S, class Update, class Probe>
//   static cudaError_t steps(const DevicePass& pass, LaunchShape shape, cudaStream_t stream);
//   static unsigned abreast(const AnyView& data);   // optional: DeviceKernels::abreast, one otherwise
#pragma once

namespace hogwild::device {

template <class Pattern>
struct Launcher;

} // namespace hogwild::device
