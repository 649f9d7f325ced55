#include "experiments/fetch/address.h"

#include <doctest/doctest.h>

namespace hogwild {
namespace {

TEST_CASE("an address is told without its name and password, and otherwise as it is") {
    CHECK(without_login("https://host/folder") == "https://host/folder");
    CHECK(without_login("https://user:secret@host:8080/folder") == "https://host:8080/folder");
    CHECK(without_login("http://user@127.0.0.1:80/a%20b") == "http://127.0.0.1:80/a%20b");
    for (const char* address : {"https://u:secret@host", "ftp://u:secret@host/x", "u:secret@host",
                                "https://u:secret@ho st/", "https://u:sec@secret@host/", "://u:secret@"}) {
        CHECK_MESSAGE(without_login(address).find("secret") == std::string::npos, address);
    }
}

} // namespace
} // namespace hogwild
