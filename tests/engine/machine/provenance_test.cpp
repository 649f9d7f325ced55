#include "engine/machine/provenance.h"

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>

#include <unistd.h>

using namespace hogwild;

TEST_CASE("provenance states build, cores and settings, each key once and none empty-handed") {
    std::set<std::string> keys;
    for (const auto& [key, value] : fields(read_provenance())) {
        CAPTURE(key);
        CHECK(keys.insert(key).second);
    }
    for (const char* key :
         {"version", "commit", "compiler", "flags", "build_type", "cpu_model", "usable_cores", "affinity_processors",
          "cgroup_quota_cores", "governor", "load_average", "transparent_huge_pages", "kernel", "memory_bytes"}) {
        CAPTURE(key);
        CHECK(keys.count(key) == 1);
    }
}

TEST_CASE("the build's facts are never empty") {
    const Build build = build_facts();
    for (const std::string& fact : {build.version, build.commit, build.compiler, build.type}) CHECK(!fact.empty());
}

TEST_CASE("provenance does not name the host") {
    std::array<char, 256> host{};
    REQUIRE(gethostname(host.data(), host.size() - 1) == 0);
    for (const auto& [key, value] : fields(read_provenance())) {
        CAPTURE(key);
        CHECK(value != std::string(host.data()));
    }
}
