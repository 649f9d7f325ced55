#include "experiments/files/output_not_input.h"

#include "engine/error.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace hogwild {

void check_apart(const std::string& option, const std::string& output, const std::vector<std::string>& inputs) {
    namespace fs = std::filesystem;
    std::error_code unseen; // what cannot be looked at is said by who opens it
    if (!fs::is_regular_file(output, unseen)) return;
    for (const std::string& input : inputs) {
        if (!fs::equivalent(output, input, unseen)) continue;
        throw Error(Failure::kUsage, fmt::format("{} cannot be {}", option, output),
                    fmt::format("it is {}, which this command reads", input), "name another file");
    }
}

} // namespace hogwild
