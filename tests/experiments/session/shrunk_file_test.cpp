#include "experiments/session/shrunk_file.h"

#include "engine/data/files/mapped_file.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace hogwild;

TEST_CASE("a file that shrinks while it is mapped ends the process with a message that names it, and with 74") {
    const Scratch scratch;
    const std::filesystem::path path = scratch.path / "data.svm", said = scratch.path / "said";
    std::ofstream(path) << std::string(1 << 16, '1');
    const pid_t child = fork();
    if (child == 0) {
        const int out = open(said.c_str(), O_WRONLY | O_CREAT, 0600);
        dup2(out, STDERR_FILENO);
        tell_of_shrunk_files();
        const MappedFile file(path);
        if (truncate(path.c_str(), 0) != 0) _exit(1);
        unsigned sum = 0;
        for (const char c : file.text()) sum += static_cast<unsigned char>(c);
        _exit(sum == 0 ? 2 : 3);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 74);
    CHECK(text_of(said) == "hogwild: " + path.string() +
                               " changed while it was read (it became shorter, or its disk failed); try again when "
                               "nobody writes to it\n");
}
