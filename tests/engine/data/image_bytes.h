// The bytes of image files, as tests write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// An IDX file of these sizes; entries count up from `first`, unless they are given.
inline std::string idx_file(const std::vector<std::uint32_t>& sizes, std::string_view entries = {},
                            std::uint8_t first = 0, std::uint8_t type = 8) {
    std::string file{0, 0, static_cast<char>(type), static_cast<char>(sizes.size())};
    std::uint64_t count = 1;
    for (const std::uint32_t size : sizes) {
        for (const int shift : {24, 16, 8, 0}) file += static_cast<char>(size >> shift);
        count *= size;
    }
    if (!entries.empty()) return file.append(entries);
    for (std::uint64_t i = 0; i < count; ++i) file += static_cast<char>(first + i);
    return file;
}

/// An IDX file of labels.
inline std::string idx_labels(const std::vector<std::uint8_t>& labels) {
    return idx_file({static_cast<std::uint32_t>(labels.size())}, std::string(labels.begin(), labels.end()));
}

/// A record of CIFAR-10: red counts up by place, green is `green` everywhere, blue 0.
inline std::string cifar_record(std::uint8_t label, std::uint8_t green) {
    std::string record(1, static_cast<char>(label));
    for (int place = 0; place < 1024; ++place) record += static_cast<char>(place);
    return record.append(1024, static_cast<char>(green)).append(1024, '\0');
}

} // namespace hogwild
