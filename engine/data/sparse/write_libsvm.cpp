#include "engine/data/sparse/write_libsvm.h"

#include "engine/data/files/named_file.h"
#include "engine/machine/parallel.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

namespace hogwild {
namespace {

constexpr std::size_t kLongestEntry = 10 + 1 + 16 + 1; // index:value and a blank; the longest float is -1.17549435e-38

template <class Number>
void append(std::string& text, Number number) {
    char digits[24];
    const auto written = std::to_chars(digits, digits + sizeof digits, number);
    text.append(digits, written.ptr);
}

} // namespace

std::string libsvm_text(SparseView view, std::uint64_t begin, std::uint64_t end) {
    std::string text;
    text.reserve((view.offsets[end] - view.offsets[begin]) * kLongestEntry);
    for (std::uint64_t i = begin; i < end; ++i) {
        const SparseRow row = view.row(i);
        if (row.label == 1.0F) text += '+';
        append(text, row.label);
        for (std::uint32_t k = 0; k < row.size; ++k) {
            text += ' ';
            append(text, std::uint64_t{row.index[k]} + 1);
            text += ':';
            append(text, row.value[k]);
        }
        text += '\n';
    }
    return text;
}

void write_libsvm(SparseView view, const std::string& path) {
    constexpr std::uint64_t kGrain = 4096;         // rows per task
    constexpr std::uint64_t kWindow = 64 * kGrain; // rows held as text at once
    NamedFile file(path);
    for (std::uint64_t first = 0; first < view.rows; first += kWindow) {
        const std::uint64_t count = std::min(kWindow, view.rows - first);
        const auto texts = parallel_map<std::string>(count, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
            return libsvm_text(view, first + begin, first + end);
        });
        for (const std::string& text : texts) file.write(text);
    }
    file.commit();
}

} // namespace hogwild
