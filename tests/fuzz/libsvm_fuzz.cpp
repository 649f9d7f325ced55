// The LIBSVM reader on arbitrary bytes: an Error in the grammar `what (why); try`, or samples that keep the promises of
// SparseView and survive being written and read again.
//
// The first byte chooses the block size, so that lines meet block boundaries; the rest is the file.
#include "engine/data/libsvm.h"
#include "engine/data/write_libsvm.h"
#include "engine/error.h"
#include "tests/engine/data/samples.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void demand(bool holds, const std::string& law) {
    if (holds) return;
    std::fprintf(stderr, "broken law: %s\n", law.c_str());
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    if (size == 0) return 0;
    TextLimits limits;
    limits.block_bytes = bytes[0];
    limits.max_text_bytes = 1 << 22;
    limits.max_line_bytes = 1 << 20;
    const std::string_view stored(reinterpret_cast<const char*>(bytes) + 1, size - 1);
    try {
        const LibsvmData data = read_libsvm(stored, "fuzz", limits);
        const SparseView view = data.arrays->view();
        demand(broken_promise(view).empty(), broken_promise(view));
        const std::string text = libsvm_text(view, 0, view.rows);
        const LibsvmData again = read_libsvm(text, "again", {});
        demand(difference(view, again.arrays->view()).empty(),
               "written and read again: " + difference(view, again.arrays->view()));
        demand(view.columns == again.arrays->columns, "written and read again: columns");
    } catch (const Error& error) {
        const std::string_view message = error.what();
        demand(message.starts_with("fuzz"), "the message names the file: " + std::string(message));
        demand(message.find(" (") != std::string_view::npos && message.find("); ") != std::string_view::npos,
               "the grammar of a message");
        demand(message.size() < 400, "a message is short");
    }
    return 0;
}
