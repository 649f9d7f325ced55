// Names in texts for people: a text says what schemes, optimisers or step rules have in common, and their rows fill in who has it.
//
//   {guards}              all schemes that take guards: "hogwild", of several "svrg, saga and columns"
//   {guards|takes|take}   with the verb of one or of several: "hogwild takes"
//   {steps_on_doubles,}   without an "and": "svrg, saga, columns"
//   {--step decays}       each with its option: "--step decay and --step backoff"
//
// The words are those of kSchemeGroups and kGroups in name_places.cpp. {} is no such place: it stands for a default (engine/plan/axis.h).
// Thread-safety: pure functions.
#pragma once

#include "engine/plan/scheme_traits.h"

#include <string>
#include <string_view>

namespace hogwild {

/// The text with names in all of its places. Errors: usage where no group has a place's word.
std::string with_names(std::string_view text);

// What several traits say together.
constexpr bool has_gpu_streams(const SchemeTraits& scheme) { return scheme.on_gpu == OnGpu::kStreams; }
constexpr bool has_gpu_batches(const SchemeTraits& scheme) { return scheme.on_gpu == OnGpu::kBatches; }
constexpr bool has_gpu_teams(const SchemeTraits& scheme) { return scheme.on_gpu == OnGpu::kTeams; }
constexpr bool has_replicas(const SchemeTraits& scheme) { return scheme.replicas != Replication::kNone; }

/// Whether its workers have a choice of memories, and of all numbers, not of the short ones alone.
constexpr bool chooses_memory(const SchemeTraits& scheme) {
    return has_gpu_streams(scheme) || scheme.steps_on_doubles();
}

/// Whether no gradient of its CPU threads can be delayed.
constexpr bool never_delays(const SchemeTraits& scheme) { return scheme.is_minibatch() || scheme.steps_on_doubles(); }

} // namespace hogwild
