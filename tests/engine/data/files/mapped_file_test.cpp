#include "engine/data/files/mapped_file.h"

#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <utility>

using namespace hogwild;

TEST_CASE("a part that has been read is given back, and is there again when it is read again") {
    const Scratch scratch;
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + '\n';
    std::ofstream(scratch.path / "text") << text;
    const MappedFile file(scratch.path / "text");
    CHECK(file.text() == text);
    for (const auto& [begin, size] : {std::pair{0u, 10u}, {1u, 8'191u}, {4'096u, 4'096u}, {100'001u, 300'000u}}) {
        file.done(file.text().substr(begin, size));
        CHECK(file.text() == text);
    }
    file.done(file.text());
    CHECK(file.text() == text);
    file.done({});
}
