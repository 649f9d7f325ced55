// Who else may access a coordinate at the same time: threads of this GPU, or of the whole system, CPU threads included.
// Readable by the host compiler.
#pragma once

namespace hogwild {

enum class Scope : unsigned { kDevice, kSystem };

} // namespace hogwild
