#include "engine/machine/provenance.h"

#include <doctest/doctest.h>

#include <string>

using namespace hogwild;

TEST_CASE("the build's facts are never empty") {
    const Build build = build_facts();
    for (const std::string& fact : {build.version, build.commit, build.compiler, build.type}) CHECK(!fact.empty());
}

TEST_CASE("provenance holds the machine and the build as they are read apart") {
    const Provenance provenance = read_provenance();
    CHECK(provenance.build.version == build_facts().version);
    CHECK(provenance.machine.cores.usable == core_budget().usable);
    CHECK(provenance.topology.cores >= 1);
}
