// Samples as text for rivals, written when it is first asked for, and removed at the end. Their names say how the rival
// is to run.
#pragma once

#include "engine/error.h"
#include "experiments/bench/harness/scratch_folder.h"

#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace hogwild {

class RivalText {
public:
    /// `write` writes the samples' lines.
    explicit RivalText(std::function<void(std::FILE*)> write) : write_(std::move(write)) {}

    /// The text as a file of this name.
    std::string named(const std::string& name) {
        if (!folder_) {
            folder_.emplace();
            std::FILE* const file = std::fopen(text().c_str(), "w");
            if (file == nullptr) throw Error(text() + " cannot be written", "fopen failed", "free disk space");
            write_(file);
            if (std::fclose(file) != 0) throw Error(text() + " cannot be written", "fclose failed", "free disk space");
        }
        const std::string path = folder_->file(name);
        if (!std::filesystem::exists(path)) std::filesystem::create_symlink(text(), path);
        return path;
    }

private:
    std::string text() const { return folder_->file("samples"); }

    std::function<void(std::FILE*)> write_;
    std::optional<ScratchFolder> folder_;
};

} // namespace hogwild
