// The formats of a model, as bytes: contract in experiments/model/model.h.
//
// `file`: its name, for errors. Every reader refuses what it does not understand; none trusts a length that it was told.
// Thread-safety: pure functions. Errors: Error.
#pragma once

#include "experiments/model/model.h"

#include <string>
#include <string_view>

namespace hogwild {

std::string npy_bytes(const Model& model);
Model read_npy(std::string_view bytes, const std::string& file);

std::string safetensors_bytes(const Model& model);
Model read_safetensors(std::string_view bytes, const std::string& file);

std::string pgm_bytes(const Model& model);
[[noreturn]] Model read_pgm(std::string_view bytes, const std::string& file);

/// Precondition: its labels are whole, or real (check_labels_fit of experiments/model/model_labels.h).
std::string liblinear_text(const Model& model);
Model read_liblinear(std::string_view text, const std::string& file);

} // namespace hogwild
