#include "experiments/folder/long_command.h"

#include "experiments/files/durable.h"
#include "experiments/text/json.h"

#include <cstddef>
#include <string_view>
#include <system_error>

namespace hogwild {
namespace {

constexpr std::size_t kMostBytes = 4096, kMostWords = 64, kLongestWord = 64;
constexpr std::string_view kRest = "...";
constexpr const char* kFile = "command.json";

bool is_long(const std::vector<std::string>& command) {
    std::size_t bytes = 0;
    for (const std::string& word : command) bytes += word.size() + 1;
    return bytes > kMostBytes;
}

/// Behind the last comma that fits, else within the word, but within no character of UTF-8.
std::string short_word(const std::string& word) {
    if (word.size() <= kLongestWord) return word;
    std::size_t size = kLongestWord - kRest.size();
    if (const std::size_t comma = word.rfind(',', size - 1); comma != std::string::npos) {
        size = comma + 1;
    } else {
        while (size > 0 && (static_cast<unsigned char>(word[size]) & 0xC0) == 0x80) --size;
    }
    return word.substr(0, size).append(kRest);
}

} // namespace

std::vector<std::string> in_short(const std::vector<std::string>& command) {
    if (!is_long(command)) return command;
    std::vector<std::string> words;
    for (const std::string& word : command) {
        if (words.size() + 1 == kMostWords) {
            words.emplace_back(kRest);
            break;
        }
        words.push_back(short_word(word));
    }
    return words;
}

void keep_command(const std::filesystem::path& folder, const std::vector<std::string>& command) {
    if (is_long(command)) replace_file(folder / kFile, json_text(Json(command)) + '\n');
}

void drop_command(const std::filesystem::path& folder) noexcept {
    std::error_code error; // what cannot be taken back stays
    std::filesystem::remove(folder / kFile, error);
}

} // namespace hogwild
