#include "experiments/inputs/idle_data.h"

#include "engine/data/synthetic/synthetic.h"
#include "experiments/model/model.h"

#include <fmt/format.h>

namespace hogwild {
namespace {

/// A line for each option that was given and has a reason to mean nothing.
class Lines {
public:
    void add(bool given, const char* option, const std::string& why) {
        if (given && !why.empty()) lines_.push_back(fmt::format("note: {} has no effect ({})", option, why));
    }
    std::vector<std::string> all() const { return lines_; }

private:
    std::vector<std::string> lines_;
};

/// Why what is for samples of this kind means nothing for these; empty: they are such.
template <class View>
std::string of_others(const AnyView& samples) {
    if (samples.is<View>()) return "";
    return fmt::format("it is for {}, and the samples are {}", View::kSamples,
                       samples.visit([]<class Other>(const Other&) { return Other::kSamples; }));
}

void add_labels(Lines& lines, const DataOptions& options, const AnyView& samples) {
    const std::string others = of_others<SparseView>(samples);
    const std::string why = !others.empty()              ? others
                            : options.real_labels        ? "--real-labels keeps labels as they are"
                            : is_synthetic(options.name) ? "generated samples have the classes -1 and +1"
                                                         : "";
    lines.add(options.positive_class.has_value(), "--positive-class", why);
    lines.add(options.real_labels, "--real-labels", others);
}

} // namespace

std::vector<std::string> idle_label_lines(const DataOptions& options, const AnyView& samples) {
    Lines lines;
    add_labels(lines, options, samples);
    return lines.all();
}

std::vector<std::string> idle_data_lines(const RunOptions& options, const AnyView& samples) {
    Lines lines;
    add_labels(lines, options.data, samples);
    const std::string no_text = of_others<TokensView>(samples);
    lines.add(options.data.min_count.has_value(), "--min-count", no_text);
    lines.add(!options.data.similarity.empty(), "--similarity", no_text);
    lines.add(!options.data.analogies.empty(), "--analogies", no_text);
    const bool saves_image = !options.save.empty() && is_image(options.save);
    lines.add(!options.grid.empty(), "--grid", saves_image ? "" : "only --save FILE.pgm writes an image");
    return lines.all();
}

} // namespace hogwild
