#include "experiments/inputs/describe_images.h"

#include "engine/data/borrowed_arrays.h"
#include "engine/data/images/image_statistics.h"
#include "engine/numbers.h"
#include "experiments/inputs/announce.h"
#include "experiments/text/json.h"
#include "experiments/text/titled_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace hogwild {

std::string images_text(const Dataset& data, const std::string& loading) {
    const auto& view = data.view().as<ImagesView>();
    const ImageStatistics facts = describe(view);
    TitledLines text(data.name());
    text.line("samples", shape_text(data.view()));
    const auto [fewest, most] = std::ranges::minmax(facts.images);
    text.line("of each class", fmt::format("{} to {}", grouped(fewest), grouped(most)));
    text.line("bytes", fmt::format("{:.3g} % are 0; mean {:.4g}, deviation {:.4g} of full brightness",
                                   100 * facts.zero_share, facts.mean, facts.deviation));
    text.line("memory", human_bytes(static_cast<double>(array_bytes(data.view()))));
    text.line("loading", loading);
    text.line("content hash", fmt::format("{:016x}", data.content_hash()));
    return text.take();
}

Json images_json(const Dataset& data, const LoadReport& report) {
    const auto& view = data.view().as<ImagesView>();
    const ImageStatistics facts = describe(view);
    return {{"name", data.name()},
            {"hash", fmt::format("{:016x}", data.content_hash())},
            {"rows", view.rows},
            {"shape", shape_text(data.view())},
            {"height", view.shape.height},
            {"width", view.shape.width},
            {"channels", view.shape.channels},
            {"classes", view.classes},
            {"images_of_a_class", facts.images},
            {"zero_share", facts.zero_share},
            {"mean", facts.mean},
            {"deviation", facts.deviation},
            {"memory_bytes", array_bytes(data.view())},
            {"file_bytes", report.file_bytes},
            {"text_bytes", report.text_bytes},
            {"parse_seconds", report.parse_seconds}};
}

} // namespace hogwild
