// What stands beside a file on its way, of arbitrary bytes: nothing known, or what is written as it was read. The part keeps its
// bytes. The first byte says how many of the input are the part, the rest is the note.
#include "experiments/fetch/part_file.h"
#include "tests/fuzz/laws.h"
#include "tests/fuzz/scratch_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace {

using namespace hogwild;

void write(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// What the note says.
PartOf read_part(const std::filesystem::path& file, std::string_view part, std::string_view note) {
    write(file.string() + ".part", part);
    write(file.string() + ".part.of", note);
    PartFile taken(file);
    demand(taken.size() == part.size(), "all bytes of the part are there");
    const PartOf of = taken.of();
    demand(of.address.find('\n') == std::string::npos && of.version.find('\n') == std::string::npos, "a line each");
    taken.restart(of);
    demand(taken.size() == 0 && taken.of() == of, "an empty part of the same");
    taken.append("bytes");
    return of;
}

/// Reads what the one before has left.
void read_again(const std::filesystem::path& file, const PartOf& of) {
    PartFile again(file);
    demand(again.of() == of, "written and read again");
    again.discard();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    static const ScratchFolder scratch;
    return fuzz_text(bytes, size, [](std::string_view input) {
        const std::filesystem::path file = scratch.path() / "file";
        const std::size_t length = std::min<std::size_t>(static_cast<unsigned char>(input[0]), input.size() - 1);
        read_again(file, read_part(file, input.substr(1, length), input.substr(1 + length)));
    });
}
