#include "engine/data/images/image_files.h"

#include "engine/data/files/mapped_file.h"
#include "engine/error.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace hogwild {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndings[] = {"", ".gz", ".bz2", ".xz", ".zst"};
constexpr std::string_view kTrain = "train-images-idx3-ubyte", kTest = "t10k-images-idx3-ubyte";
constexpr std::string_view kTestBatch = "test_batch.bin";
constexpr int kBatches = 5;

/// The file of that name in the folder, plain or compressed; empty where there is none.
std::string found(const fs::path& folder, std::string_view name) {
    for (const std::string_view ending : kEndings) {
        const fs::path path = folder / fmt::format("{}{}", name, ending);
        std::error_code absent;
        if (fs::is_regular_file(path, absent)) return path.string();
    }
    return "";
}

/// With a dot before `idx` for a hyphen, and the other way round.
std::string respelled(std::string name) {
    const std::size_t idx = name.rfind("idx");
    if (idx != std::string::npos && idx > 0) {
        if (char& before = name[idx - 1]; before == '-' || before == '.') before = before == '-' ? '.' : '-';
    }
    return name;
}

/// As it is spelled, else with the other sign before `idx`.
std::string found_idx(const fs::path& folder, std::string_view name) {
    const std::string path = found(folder, name);
    return path.empty() ? found(folder, respelled(std::string(name))) : path;
}

std::string without_ending(std::string name) {
    for (const std::string_view ending : kEndings) {
        if (!ending.empty() && name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
    }
    return name;
}

bool replace_last(std::string& text, std::string_view from, std::string_view to) {
    const std::size_t at = text.rfind(from);
    if (at == std::string::npos) return false;
    text.replace(at, from.size(), to);
    return true;
}

std::string labels_of(const std::string& images) {
    const fs::path path(images);
    std::string name = without_ending(path.filename());
    if (!replace_last(name, "images", "labels")) {
        const bool is_labels = name.find("labels") != std::string::npos;
        throw Error(Failure::kUsage, images + ": where its labels are is unknown",
                    "its name has no `images` to put `labels` for",
                    is_labels ? "name the file of images instead"
                              : "name it like train-images-idx3-ubyte; a file of CIFAR-10's format ends in .bin");
    }
    replace_last(name, "idx3", "idx1");
    const std::string labels = found_idx(path.parent_path(), name);
    if (!labels.empty()) return labels;
    throw Error(Failure::kMissing, images + ": its labels are missing",
                fmt::format("no {} beside it, plain or compressed", name), "put it there");
}

ImageFiles files_of(const std::string& images) {
    const std::string name = without_ending(images);
    if (name.ends_with(".tar") || name.ends_with(".tgz")) {
        throw Error(Failure::kUsage, images + " is no file of images", "it is an archive of files",
                    fmt::format("unpack it (tar xf {}) and name the folder with its files", images));
    }
    if (name.ends_with(".bin")) return {{images}, ""};
    return {{images}, labels_of(images)};
}

ImageFiles training_files(const std::string& folder) {
    const std::string idx = found_idx(folder, kTrain);
    ImageFiles batches;
    std::string absent;
    for (int i = 1; i <= kBatches; ++i) {
        const std::string name = fmt::format("data_batch_{}.bin", i), path = found(folder, name);
        if (path.empty())
            absent += (absent.empty() ? "" : ", ") + name;
        else
            batches.images.push_back(path);
    }
    if (!idx.empty() && !batches.images.empty()) {
        throw Error(Failure::kUsage, folder + ": which images are meant is unknown",
                    "it holds files of MNIST and of CIFAR-10",
                    "name one of them, or put them into folders of their own");
    }
    if (!idx.empty()) return files_of(idx);
    if (batches.images.empty()) {
        throw Error(Failure::kMissing, folder + ": it holds no training images",
                    fmt::format("neither {} nor data_batch_1.bin, plain or compressed", kTrain),
                    "name a folder with MNIST's or CIFAR-10's files, or synthetic:images");
    }
    if (!absent.empty()) {
        throw Error(
            Failure::kMissing,
            fmt::format("{}: {} {} missing", folder, absent, absent.find(',') == std::string::npos ? "is" : "are"),
            fmt::format("CIFAR-10 has {} files to train on", kBatches), "put it there, or name a single file");
    }
    return batches;
}

} // namespace

std::string test_images_of(const std::string& folder) {
    std::error_code absent;
    if (!fs::is_directory(folder, absent)) return "";
    const std::string idx = found_idx(folder, kTest);
    return idx.empty() ? found(folder, kTestBatch) : idx;
}

bool holds_images(const std::string& name) {
    std::error_code absent;
    if (!fs::is_directory(name, absent))
        return fs::path(name).filename().string().find("idx3-ubyte") != std::string::npos && fs::exists(name, absent);
    return !found_idx(name, kTrain).empty() || !found(name, "data_batch_1.bin").empty() ||
           !test_images_of(name).empty();
}

ImageFiles image_files(const std::string& name, bool is_test) {
    std::error_code absent;
    if (!fs::is_directory(name, absent)) {
        const MappedFile there(
            name); // says what is wrong with a file that cannot be read, before its labels are looked for
        return files_of(name);
    }
    if (!is_test) return training_files(name);
    const std::string test = test_images_of(name);
    if (!test.empty()) return files_of(test);
    throw Error(Failure::kMissing, name + ": it holds no test images",
                fmt::format("neither {} nor {}, plain or compressed", kTest, kTestBatch),
                "name a file of images, or held-out for a share of the training set");
}

} // namespace hogwild
