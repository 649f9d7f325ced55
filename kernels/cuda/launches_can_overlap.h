// Whether launches may begin before the one before has ended. Readable by the host compiler.
#pragma once

namespace hogwild {

/// True if the code that runs here was compiled with launches that wait for the one before, from compute capability 9.0
/// on. Code for older GPUs that the driver compiles for a newer one has no such wait.
bool launches_can_overlap();

} // namespace hogwild
