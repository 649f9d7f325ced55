// The samples as a LIBSVM file for rivals to read, written when it is first asked for and removed at the end.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/sparse/write_libsvm.h"
#include "experiments/bench/harness/scratch_folder.h"

#include <optional>
#include <string>
#include <utility>

namespace hogwild {

class LibsvmFile {
public:
    explicit LibsvmFile(Dataset data) : data_(std::move(data)) {}

    const std::string& path() {
        if (!folder_) {
            folder_.emplace();
            path_ = folder_->file("data.txt");
            write_libsvm(data_.sparse(), path_);
        }
        return path_;
    }

private:
    Dataset data_;
    std::optional<ScratchFolder> folder_;
    std::string path_;
};

} // namespace hogwild
