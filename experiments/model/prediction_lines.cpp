#include "experiments/model/prediction_lines.h"

#include "engine/data/files/named_file.h"

namespace hogwild {

void write_prediction_lines(const std::string& file, std::uint64_t samples,
                            const std::function<std::string(std::uint64_t)>& line) {
    constexpr std::size_t kBlock = 1 << 20;
    NamedFile whole(file);
    std::string block;
    for (std::uint64_t i = 0; i < samples; ++i) {
        block += line(i) + '\n';
        if (block.size() > kBlock) {
            whole.write(block);
            block.clear();
        }
    }
    whole.write(block);
    whole.commit();
}

} // namespace hogwild
