#include "experiments/bench/harness/rival.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "experiments/bench/harness/subprocess.h"

#include <optional>

#include <unistd.h>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::string_view trim(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kBlank);
    return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

} // namespace

Rival parse_rival(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
        throw Error(Failure::kUsage, fmt::format("--rival '{}' is not understood", text), "it has no NAME=PROGRAM",
                    "write --rival svmsgd=./svmsgd_rival");
    }
    Rival rival{text.substr(0, equals), text.substr(equals + 1)};
    if (rival.program.find('/') != std::string::npos && access(rival.program.c_str(), X_OK) != 0) {
        throw Error(Failure::kMissing, fmt::format("rival {} cannot be run", rival.name),
                    fmt::format("{} is not an executable file", rival.program), "build it, or give its path");
    }
    return rival;
}

RivalSpeed parse_rival_speed(const Rival& rival, std::string_view output) {
    const std::string_view text = trim(output);
    const std::size_t newline = text.find_last_of('\n');
    const std::string_view line = trim(newline == std::string_view::npos ? text : text.substr(newline));
    const std::size_t space = line.find_first_of(kBlank);
    if (space != std::string_view::npos) {
        const std::optional<double> seconds = parse_real(line.substr(0, space));
        const std::optional<double> rate = parse_real(trim(line.substr(space)));
        if (seconds && rate && *seconds > 0 && *rate > 0) return {*seconds, *rate};
    }
    throw Error(fmt::format("rival {} does not say how fast it was", rival.name),
                fmt::format("its last line reads '{}'", line), "let it print two positive numbers: seconds and rate");
}

RivalSpeed run_rival(const Rival& rival, const std::string& subject, const std::string& repeats) {
    return parse_rival_speed(rival, output_of({rival.program, subject, repeats}));
}

} // namespace hogwild
