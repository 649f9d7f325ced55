// Which files hold the images that a name means, and their labels.
//
//   a folder     MNIST's files by their usual names (train-images-idx3-ubyte and train-labels-idx1-ubyte; t10k-... for the test; also
//                with a dot before idx), or CIFAR-10's (data_batch_1.bin to data_batch_5.bin; test_batch.bin)
//   X.bin        a file of CIFAR-10's format (engine/data/images/cifar.h)
//   other files  IDX images (engine/data/images/idx.h); the labels lie beside them, where the name has `labels` for `images`
//
// Each plain, or compressed with .gz, .bz2, .xz or .zst behind its name. Archives (.tar, .tar.gz, .tgz) are to be unpacked first.
// Errors: throws Error; Failure::kMissing for what is absent, kUsage for a name that means nothing. Thread-safety: looks at the
// disk.
#pragma once

#include <string>
#include <vector>

namespace hogwild {

struct ImageFiles {
    std::vector<std::string> images; // one of IDX, one or more of CIFAR-10
    std::string labels;              // of IDX; empty: the images are of CIFAR-10's format and hold them
};

/// The test set of a folder: the name of its file. Empty: it has none, or is no folder.
std::string test_images_of(const std::string& folder);

/// True for a folder with a training or a test set by these names. True too for a file whose name says that it is of
// IDX's images.
bool holds_images(const std::string& name);

/// `is_test`: of a folder its test set, else its training set.
ImageFiles image_files(const std::string& name, bool is_test);

} // namespace hogwild
