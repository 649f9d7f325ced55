#include "experiments/options/number_fault.h"

#include "engine/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace hogwild {

std::string why_no_number(std::string_view text, const std::string& otherwise) {
    double unset = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, unset);
    if (result.ec != std::errc::result_out_of_range || result.ptr != end) return otherwise;
    return std::abs(std::strtod(std::string(text).c_str(), nullptr)) > 1
               ? "it is beyond the largest number, 1.8e308"
               : "it is closer to 0 than the smallest number, 4.9e-324";
}

std::string whole_number_fault(const std::string& text, std::uint64_t least, std::uint64_t most) {
    const auto count = parse_count(text);
    if (count && *count >= least && *count <= most) return "";
    return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
}

std::string real_number_fault(const std::string& text) {
    if (parse_real(text)) return "";
    return fmt::format("'{}' is no number that can be used: {}", text,
                       why_no_number(text, "it is not a finite number"));
}

} // namespace hogwild
