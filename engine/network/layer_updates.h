// Reads which layers of a network have an update policy of their own.
//
//   none        every layer has that of the run
//   1=atomic+5=noop    layer 1 is incremented by atomic, layer 5 by noop, all others as the run's policy says
//
// Layers are numbered from 1, those without weights too, as describe_layer (engine/network/network.h) does.
// Thread-safety: pure functions. Errors: throws Error (Failure::kUsage) for a text that is none of these.
#pragma once

#include "kernels/network/layer_choices.h"
#include "kernels/network/layer_update.h"
#include "kernels/network/network.h"
#include "kernels/updates/traits.h"

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

inline constexpr std::string_view kNoLayerUpdates = "none";

/// Whatever the network is.
void check_layer_updates(std::string_view text);

/// Why the network has no such layers, or one of them has no weights; empty: it has them.
std::string why_not_layer_updates(std::string_view text, const NetworkShape& network);

/// Ranges of all its weights; none where every layer has the run's policy. Precondition: neither of the above objects.
std::vector<LayerUpdate> layer_updates(std::string_view text, const NetworkShape& network);

/// The policies that layers have of their own, layer by layer.
LayerChoices layer_choices(std::string_view text);

/// The first policy that a layer has as its own of which this is true; empty: none has.
/// Precondition: check_layer_updates does not object.
std::string_view layer_policy(std::string_view text, bool (*is)(const UpdateTraits&));

} // namespace hogwild
