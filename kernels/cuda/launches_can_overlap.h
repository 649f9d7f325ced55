// Whether launches may begin before the one before has ended. Readable by the host compiler.
#pragma once

namespace hogwild {

/// Whether the code that runs here was compiled with launches that wait for the one before (from compute capability 9.0 on;
/// code for older ones that the driver compiles for a newer GPU has no such wait).
bool launches_can_overlap();

} // namespace hogwild
