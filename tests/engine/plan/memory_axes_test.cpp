// Laws of a plan's memory, numbers and rounding: three axes, whose plans keep the text and hash of one.
#include "engine/error.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace hogwild;

namespace {

Plan plan_on(std::string memory, std::string numbers, std::string rounding = "unbiased") {
    Plan plan;
    plan.memory = std::move(memory);
    plan.numbers = std::move(numbers);
    plan.rounding = std::move(rounding);
    return plan;
}

std::string text_of_memory(const Plan& plan) {
    const auto texts = fields(plan);
    return std::ranges::find(texts, "memory", &std::pair<std::string, std::string>::first)->second;
}

} // namespace

TEST_CASE("a plan's text names all of its memory in one word, and is read as the three") {
    struct Row {
        const char *memory, *numbers, *rounding, *text;
    };
    for (const Row& row :
         {Row{"host", "float32", "unbiased", "host"}, Row{"host", "fp64", "unbiased", "host-fp64"},
          Row{"host", "bf16", "unbiased", "host-bf16"}, Row{"host", "fp16", "shared", "host-fp16-shared"},
          Row{"host", "int8", "nearest", "host-int8-nearest"},
          Row{"managed-host", "float32", "unbiased", "managed-host"},
          Row{"device", "fp16", "unbiased", "device-fp16"}}) {
        CAPTURE(row.text);
        const Plan plan = plan_on(row.memory, row.numbers, row.rounding), read = plan_of(fields(plan));
        CHECK(text_of_memory(plan) == row.text);
        CHECK(std::ranges::none_of(
            fields(plan), [](const auto& field) { return field.first == "numbers" || field.first == "rounding"; }));
        CHECK(read.memory == row.memory);
        CHECK(read.numbers == row.numbers);
        CHECK(read.rounding == row.rounding);
        Plan old = plan_on("host", "float32");
        put(axis("memory"), old, std::string(row.text));
        CHECK(fields(old) == fields(plan));
        CHECK(hash(old) == hash(plan));
    }
}

TEST_CASE("a plan is hashed as it was when its memory was one name") {
    const std::pair<const char*, std::uint64_t> hashes[] = {{"host", 0xe4f5379f4f4e79bd},
                                                            {"host-fp64", 0xd84ca90c42eb47e5},
                                                            {"host-bf16", 0xa063bb3763f8cc72},
                                                            {"host-bf16-shared", 0xb8427a3a471dd14c},
                                                            {"host-bf16-nearest", 0x5322fc58dc004853},
                                                            {"host-fp16", 0x7e4aa80faf538c9b},
                                                            {"host-fp16-shared", 0xd3a1e9e674800b08},
                                                            {"host-fp16-nearest", 0x81a7c053dd518480},
                                                            {"host-int8", 0x541b87bdd93260e2},
                                                            {"host-int8-shared", 0xa22ca3a503fa9335},
                                                            {"host-int8-nearest", 0x0ae04e16a7e99c6d},
                                                            {"mapped", 0x2b09c6f5ea2c07a8},
                                                            {"managed", 0xc62b0b71de62c466},
                                                            {"managed-host", 0x346c35da6b7b803f},
                                                            {"managed-device", 0x6737f6adbae11cdb},
                                                            {"device", 0x018834fde39f5717},
                                                            {"device-bf16", 0x9a52afb74625a4b7},
                                                            {"device-fp16", 0x1a7225c93597091c},
                                                            {"replica", 0x56d84f45b35d5e22}};
    for (const auto& row : hashes) {
        CAPTURE(row.first);
        Plan plan;
        put(axis("memory"), plan, std::string(row.first));
        CHECK(hash(plan) == row.second);
        CHECK(text_of_memory(plan) == row.first);
    }
}

TEST_CASE("an old spelling says all its parts, a place says nothing else") {
    Plan plan = plan_on("host", "int8", "nearest");
    put(axis("memory"), plan, std::string("mapped"));
    CHECK(memory_name(plan) == "mapped-int8-nearest");
    CHECK(options_text(respelled("memory", "host-int8-nearest")) == "--memory host --numbers int8 --rounding nearest");
    CHECK(options_text(respelled("memory", "device-bf16")) == "--memory device --numbers bf16");
    for (const char* none : {"host", "managed-host", "replica", "mapped-bf16", "host-int4", "device-bf16-nearest"})
        CHECK(respelled("memory", none).empty());
    CHECK(respelled("numbers", "int8").empty());
    put(axis("memory"), plan, std::string("host-int4"));
    CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("unknown memory 'host-int4' (known: host, mapped, "), Error);
}

TEST_CASE("numbers and roundings that a plan has no choice of become the usual ones") {
    const auto name_of_collapsed = [](const char* scheme, const Plan& asked) {
        Plan plan = asked;
        plan.scheme = scheme;
        return memory_name(collapsed(plan));
    };
    CHECK(name_of_collapsed("hogwild", plan_on("host", "float32", "nearest")) == "host");
    CHECK(name_of_collapsed("svrg", plan_on("host", "fp64", "nearest")) == "host-fp64");
    CHECK(name_of_collapsed("serial", plan_on("host", "int8", "nearest")) == "host-int8-nearest");
    CHECK(name_of_collapsed("serial", plan_on("host", "fp64")) == "host");
    CHECK(name_of_collapsed("serial", plan_on("device", "bf16")) == "host");
    CHECK(name_of_collapsed("local-sgd", plan_on("host", "int8")) == "host");
}

TEST_CASE("a memory that cannot be is refused with what to try") {
    CHECK(why_not(plan_on("mapped", "bf16")).starts_with("mapped memory holds floats, not bf16; use "));
    CHECK(why_not(plan_on("device", "int8")).starts_with("a GPU steps on float32, bf16 and fp16, not on int8; use "));
    CHECK(why_not(plan_on("host", "fp64")) ==
          "steps of hogwild are on floats, only those of svrg, saga and columns on doubles too; use --numbers float32");
    CHECK(why_not(plan_on("host", "int8", "nearest")).empty());
}
