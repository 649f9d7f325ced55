#include "experiments/inputs/input_files.h"

#include "engine/data/images/image_files.h"
#include "engine/data/load_text.h"
#include "engine/data/synthetic/synthetic.h"
#include "engine/error.h"
#include "experiments/inputs/data_folder.h"
#include "experiments/options/options.h"

namespace hogwild {
namespace {

void add(std::vector<std::string>& files, const std::string& name, const DataOptions& data) {
    if (name.empty() || is_synthetic(name)) return;
    files.push_back(name);
    try {
        const std::string path = data_path(name);
        files.push_back(path);
        const QuestionFiles asked = question_files(path, data.similarity, data.analogies);
        files.insert(files.end(), {asked.pairs[0], asked.pairs[1], asked.analogies});
    } catch (const Error&) { // said when it is read
    }
}

void add_images(std::vector<std::string>& files, const std::string& name, bool is_test) {
    try {
        const ImageFiles images = image_files(data_path(name), is_test);
        files.insert(files.end(), images.images.begin(), images.images.end());
        files.push_back(images.labels);
    } catch (const Error&) { // it has none, or that is said when they are read
    }
}

} // namespace

std::vector<std::string> input_files(const DataOptions& data, const std::string& test) {
    std::vector<std::string> files = data.similarity;
    files.push_back(data.analogies);
    add(files, data.name, data);
    add(files, test, data);
    for (const std::string& name : {data.name, test}) {
        if (name.empty() || is_synthetic(name)) continue;
        for (const bool is_test : {false, true}) add_images(files, name, is_test);
    }
    std::erase(files, "");
    return files;
}

} // namespace hogwild
