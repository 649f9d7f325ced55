#include "experiments/model/word_vectors.h"

#include "engine/called.h"
#include "engine/data/files/mapped_file.h"
#include "engine/data/files/named_file.h"
#include "engine/data/text/decimal.h"
#include "engine/data/text/text_words.h"
#include "engine/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

namespace hogwild {
namespace {

static_assert(std::endian::native == std::endian::little, ".bin holds the bytes of floats as they lie here");

constexpr std::uint64_t kMostDim = 1 << 16;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
    throw Error(file + " holds no word vectors that can be used", why,
                fmt::format("save some with {} run --problem skipgram --save vectors.bin", called()));
}

/// Up to the next blank or newline, which stays.
std::string_view take_field(std::string_view& rest) {
    while (!rest.empty() && words::is_blank_or_cr(rest[0])) rest.remove_prefix(1);
    std::size_t size = 0;
    while (size < rest.size() && !words::is_blank_or_cr(rest[size]) && rest[size] != '\n') ++size;
    const std::string_view field = rest.substr(0, size);
    rest.remove_prefix(size);
    return field;
}

/// The first line, and what it says.
struct Head {
    std::uint64_t words = 0, dim = 0;
};

Head take_head(std::string_view& rest, const std::string& file) {
    Head head;
    for (std::uint64_t* const number : {&head.words, &head.dim}) {
        const std::string_view field = take_field(rest);
        const auto [end, fault] = std::from_chars(field.data(), field.data() + field.size(), *number);
        if (fault != std::errc{} || end != field.data() + field.size())
            refuse(file, "its first line is not how many words and how many numbers each");
    }
    while (!rest.empty() && words::is_blank_or_cr(rest[0])) rest.remove_prefix(1);
    if (rest.empty() || rest[0] != '\n') refuse(file, "its first line is not how many words and how many numbers each");
    rest.remove_prefix(1);
    if (head.words == 0 || head.dim == 0 || head.dim > kMostDim || head.words > rest.size() / head.dim)
        refuse(file, fmt::format("it says that it holds {} words of {} numbers", head.words, head.dim));
    return head;
}

/// Adds words as they come.
class Builder {
public:
    Builder(const Head& head, const std::string& file) : file_(file), words_(std::make_shared<Vocabulary>()) {
        vectors_.dim = static_cast<std::uint32_t>(head.dim);
        vectors_.vectors.reserve(head.words * head.dim);
    }

    void word(std::string_view word) {
        const std::uint32_t number = words_->size();
        if (word.empty()) refuse(file_, fmt::format("word {} is empty", number + 1));
        if (word.find('\n') != std::string_view::npos)
            refuse(file_, fmt::format("word {} holds a line's end: the one before it may hold a blank", number + 1));
        const auto control = std::ranges::find_if(word, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; });
        if (control != word.end()) {
            refuse(file_, fmt::format("word {} holds the control character \\x{:02x}", number + 1,
                                      static_cast<unsigned char>(*control)));
        }
        if (words_->add(word) != number) refuse(file_, fmt::format("word {} has occurred before", number + 1));
    }

    void number(float number) {
        if (!std::isfinite(number))
            refuse(file_, fmt::format("word {} has a number that is not finite", words_->size()));
        vectors_.vectors.push_back(number);
    }

    WordVectors done() {
        vectors_.words = std::move(words_);
        return std::move(vectors_);
    }

private:
    const std::string& file_;
    std::shared_ptr<Vocabulary> words_;
    WordVectors vectors_;
};

bool names_non_finite(std::string_view field) { return words::names_non_finite((std::string(field) + '\n').data()); }

/// A word that holds a blank shifts all that follows, and so shows at the end.
void check_end(std::string_view rest, const Head& head, const std::string& file) {
    const std::size_t more = rest.size() - std::min(rest.find_first_not_of(" \t\r\n"), rest.size());
    if (more > 0)
        refuse(file, fmt::format("{} bytes stand behind its {} words: it has more of them, or one holds a blank", more,
                                 head.words));
}

std::string head_of(const Vocabulary& words, std::uint32_t dim) { return fmt::format("{} {}\n", words.size(), dim); }

bool is_text(const std::string& file) { return std::filesystem::path(file).extension() == ".txt"; }

void check_ending(const std::string& file) {
    if (holds_words(file)) return;
    throw Error(Failure::kUsage, "no format for word vectors is known for " + file, "its ending says none",
                "end it with .bin or .txt (word2vec's formats)");
}

} // namespace

bool holds_words(const std::string& file) { return is_text(file) || std::filesystem::path(file).extension() == ".bin"; }

std::string word2vec_text(const Vocabulary& words, std::uint32_t dim, std::span<const float> vectors) {
    std::string text = head_of(words, dim);
    for (std::uint32_t w = 0; w < words.size(); ++w) {
        text += words.word(w);
        for (std::uint32_t k = 0; k < dim; ++k) text += fmt::format(" {}", vectors[std::size_t{w} * dim + k]);
        text += '\n';
    }
    return text;
}

std::string word2vec_binary(const Vocabulary& words, std::uint32_t dim, std::span<const float> vectors) {
    std::string bytes = head_of(words, dim);
    for (std::uint32_t w = 0; w < words.size(); ++w) {
        bytes += words.word(w);
        bytes += ' ';
        bytes.append(reinterpret_cast<const char*>(vectors.data() + std::size_t{w} * dim), dim * sizeof(float));
        bytes += '\n';
    }
    return bytes;
}

WordVectors read_word2vec_text(std::string_view text, const std::string& file) {
    const Head head = take_head(text, file);
    Builder builder(head, file);
    for (std::uint64_t w = 0; w < head.words; ++w) {
        builder.word(take_field(text));
        for (std::uint64_t k = 0; k < head.dim; ++k) {
            const std::string_view field = take_field(text);
            float number = 0;
            const decimal::Reading reading = decimal::read_whole(field, number);
            const auto why = decimal::why_out_of_range(reading);
            if (!why.empty()) refuse(file, fmt::format("word {} has a number {}", w + 1, why));
            const bool is_number = reading == decimal::Reading::kOk || names_non_finite(field);
            if (!is_number) refuse(file, fmt::format("line {} has no {} numbers behind its word", w + 2, head.dim));
            builder.number(reading == decimal::Reading::kOk ? number : std::numeric_limits<float>::quiet_NaN());
        }
        while (!text.empty() && words::is_blank_or_cr(text[0])) text.remove_prefix(1);
        if (!text.empty() && text[0] != '\n')
            refuse(file, fmt::format("line {} has more than {} numbers", w + 2, head.dim));
        if (!text.empty()) text.remove_prefix(1);
    }
    check_end(text, head, file);
    return builder.done();
}

WordVectors read_word2vec_binary(std::string_view bytes, const std::string& file) {
    const Head head = take_head(bytes, file);
    Builder builder(head, file);
    for (std::uint64_t w = 0; w < head.words; ++w) {
        while (!bytes.empty() && bytes[0] == '\n')
            bytes.remove_prefix(1); // some writers leave it out, ours and word2vec.c do not
        const std::size_t blank = bytes.find(' ');
        if (blank == std::string_view::npos || (bytes.size() - blank - 1) / sizeof(float) < head.dim)
            refuse(file, fmt::format("it ends within word {} of {}", w + 1, head.words));
        builder.word(bytes.substr(0, blank));
        bytes.remove_prefix(blank + 1);
        for (std::uint64_t k = 0; k < head.dim; ++k) {
            float number;
            std::memcpy(&number, bytes.data() + k * sizeof number, sizeof number);
            builder.number(number);
        }
        bytes.remove_prefix(head.dim * sizeof(float));
    }
    check_end(bytes, head, file);
    return builder.done();
}

void save_word_vectors(const std::string& file, const Vocabulary& words, std::uint32_t dim,
                       std::span<const float> vectors) {
    check_ending(file);
    NamedFile whole(file);
    whole.write(is_text(file) ? word2vec_text(words, dim, vectors) : word2vec_binary(words, dim, vectors));
    whole.commit();
}

WordVectors load_word_vectors(const std::string& file) {
    check_ending(file);
    const MappedFile mapped(file);
    return is_text(file) ? read_word2vec_text(mapped.text(), file) : read_word2vec_binary(mapped.text(), file);
}

} // namespace hogwild
