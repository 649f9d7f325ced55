// The LIBSVM reader on arbitrary bytes: an Error, or samples that keep the promises of SparseView and survive being written and
// read again.
#include "engine/data/sparse/libsvm.h"
#include "engine/data/sparse/write_libsvm.h"
#include "tests/engine/data/samples.h"
#include "tests/fuzz/laws.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    return fuzz(bytes, size, [](std::string_view file, const TextLimits& limits) {
        const LibsvmData data = read_libsvm(file, "fuzz", limits);
        const SparseView view = data.arrays->view();
        demand(broken_promise(view).empty(), broken_promise(view));
        const std::string text = libsvm_text(view, 0, view.rows);
        const LibsvmData again = read_libsvm(text, "again", {});
        demand(difference(view, again.arrays->view()).empty(),
               "written and read again: " + difference(view, again.arrays->view()));
        demand(view.columns == again.arrays->columns, "written and read again: columns");
    });
}
