// Names and descriptions of networks: what they mean, and what is refused.
#include "engine/network/network.h"

#include "engine/error.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace hogwild;

namespace {

/// Why it is no network for such images; empty: it is one.
std::string refusal(const std::string& text, const MapShape& images = {28, 28, 1}, std::uint32_t classes = 10) {
    try {
        network_of(text, images, classes);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("layers on several lines are the same as on one") {
    CHECK(one_line("\n  conv 6 5   relu;\tmaxpool 2;\r\n\n dense 10 ;\n") == "conv 6 5 relu; maxpool 2; dense 10");
    CHECK(one_line("lenet") == "lenet");
    CHECK(one_line(" ; \n") == "");
    const std::string layers = "conv 6 5 relu; maxpool 2; batchnorm; dense 10";
    for (const std::string end : {"\n", ";\n", "\r\n", "\n\n  "}) {
        std::string text = layers;
        for (std::size_t at = 0; (at = text.find(';', at)) != std::string::npos; at += end.size())
            text.replace(at, 1, end);
        CHECK(one_line(text + end) == layers);
        CHECK(describe(network_of(text, {28, 28, 1}, 10)) == describe(network_of(layers, {28, 28, 1}, 10)));
        CHECK(normalises(text));
    }
    CHECK(describe(network_of("\n  mlp-784-16-10\n", {28, 28, 1}, 10)) ==
          describe(network_of("mlp-784-16-10", {28, 28, 1}, 10)));
}

TEST_CASE("two classes are the fewest, whether an image has the second or not, and who asks for more is told so") {
    const std::string other = "; end it with dense ", comma = ", behind a ';' (a ',' begins another network)";
    CHECK(refusal("dense 10", {28, 28, 1}, 2) ==
          "network: 'dense 10' makes 10 scores (no image has a label above 1, and 2 classes are the "
          "fewest)" +
              other + "2" + comma);
    CHECK(refusal("dense 10", {28, 28, 1}, 3) ==
          "network: 'dense 10' makes 10 scores (the images have 3 classes)" + other + "3" + comma);
}

TEST_CASE("a name is the layers that it stands for") {
    const NetworkShape lenet = network_of("lenet", {28, 28, 1}, 10);
    CHECK(lenet.coordinates == 44426); // 156 + 2,416 + 30,840 + 10,164 + 850
    CHECK(lenet.groups == 26 + 151 + 257 + 121 + 85);
    CHECK(lenet.layers[4].in == MapShape{4, 4, 16});
    const NetworkShape mlp = network_of("mlp-784-128-10", {28, 28, 1}, 10);
    CHECK(mlp.coordinates == 101770);
    CHECK(mlp.activations == 138);
    CHECK(network_of("fcn-r", {28, 28, 1}, 10).coordinates == 14'205'962);
    CHECK(network_of("cnn-32-64", {32, 32, 3}, 10).last().in.size() == 128);
    const NetworkShape normalised = network_of("conv 6 5; batchnorm relu; dense 10", {28, 28, 1}, 10);
    CHECK(normalised.coordinates == 156 + 4 * 6 + (24 * 24 * 6 + 1) * 10);
    CHECK(describe_layer(normalised, 1) == "layer 2, batchnorm relu 24x24x6");
    CHECK(describe(mlp) == "28x28x1 > dense relu 128 > dense 10, 101770 weights");
}

TEST_CASE("a network keeps its address, and has one for each text, image and number of classes") {
    const MapShape images{28, 28, 1};
    const NetworkShape& lenet = network_of("lenet", images, 10);
    CHECK(&network_of(" lenet\n", images, 10) == &lenet);
    CHECK(&network_of("lenet", images, 9) != &lenet);
    CHECK(&network_of("lenet", {32, 32, 1}, 10) != &lenet);
    CHECK(&network_of("dense 10", images, 10) != &lenet);
    CHECK(&network_of("lenet", images, 10) == &lenet);
}

TEST_CASE("layers of a name are called by it, with any number of classes, and no others are") {
    const std::string lenet =
        "conv 6 5 relu;  maxpool 2\n conv 16 5 relu; maxpool 2; dense 120 relu; dense 84 relu;\n dense ";
    CHECK(short_text(lenet + "10") == "lenet");
    CHECK(short_text(lenet + "3;\n") == "lenet");
    CHECK(short_text("lenet") == "lenet");
    CHECK(short_text("conv 32 3 pad 1 relu; maxpool 2; conv 64 3 pad 1 relu; maxpool 2; dense 128 relu; dense 7") ==
          "cnn-32-64");
    CHECK(short_text("dense 2048 sigmoid; dense 4096 sigmoid; dense 1024 sigmoid; dense 10") == "fcn-r");
    for (const std::string& other : {one_line(lenet + "10 relu"), one_line("dropout 0.1; " + lenet + "10"),
                                     std::string("mlp-784-128-10"), std::string("dense 10"), std::string()})
        CHECK(short_text(other) == other);
    CHECK(short_text("dense  10 ;") == "dense 10");
}

TEST_CASE("what no network is made of is refused with the reason") {
    const auto says = [](const std::string& text, const std::string& words) {
        CAPTURE(text);
        const std::string said = refusal(text);
        CAPTURE(said);
        CHECK(said.find(words) != std::string::npos);
    };
    says("", "no layer");
    says("dense", "needs a number of units");
    says("dense 0; dense 10", "'0' is no number");
    says("dense -3", "'-3' is no number");
    says("conv 0 3; dense 10", "network: 'conv 0 3' needs a number of filters ('0' is no number");
    says("conv 3 0; dense 10", "network: 'conv 3 0' needs the side of a window ('0' is no number");
    says("conv 3 3 stride 0; dense 10", "network: 'conv 3 3 stride 0' needs a stride ('0' is no number");
    says("maxpool 0; dense 10", "network: 'maxpool 0' needs the side of a window ('0' is no number");
    says("dense 99999999999; dense 10", "is no number");
    for (const auto& [typed, meant] : {std::pair{"LeNet", "lenet"}, {"cnn-32_64", "cnn-32-64"}, {"Dense 10", "dense"}})
        says(typed, std::string("did you mean ") + meant + "? use layers");
    says("transformer", "); use layers"); // nothing is like it
    says("lenet; dense 10", "); lenet is a network, which stands alone; use layers");
    says("dense 12 relu; mlp-784-10", "); mlp-784-10 is a network, which stands alone; use layers");
    says("dens 10", "unknown layer 'dens' (known layers: dense, conv, maxpool, meanpool, dropout, batchnorm; ");
    says("dense 10 relu", "network: 'dense 10 relu' makes no scores");
    says("dense 12", "makes 12 scores");
    says("conv 6 29; dense 10", "does not fit");
    says("conv 6 5; maxpool 25; dense 10", "does not fit");
    says("conv 6 3 pad 3; dense 10", "border");
    says("conv 6 3 mish; dense 10", "'mish' at its end");
    says("dense 12 relu dense 10", "put ';' before it");
    says("dropout 1; dense 10", "rate");
    says("dropout; dense 10", "rate");
    says("maxpool 2", "makes no scores");
    says("dense 4; batchnorm 4; dense 10", "'4' at its end");
    says("dense 10; batchnorm", "makes no scores");
    says("mlp-3072-10", "takes images of 3072 entries");
    says("mlp-784", "no layer");
    for (const char* const name : {"mlp-", "mlp--784-10", "mlp-784--10", "mlp-784-128-", "mlp-784---10"})
        says(name, "network: '" + std::string(name) + "' lacks a number (");
    for (const char* const size : {"0", "x", "1048577", "16; dense 10"}) {
        const std::string name = "mlp-784-" + std::string(size) + "-10";
        says(name, "network: '" + name + "' has a size of '" + size + "' (it is no number from 1 to 1048576)");
    }
    says("mlp-x-10", "network: 'mlp-x-10' has a size of 'x' (");
    says("dense 4;\t maxpool 30 ; dense 10", "network: 'maxpool 30' does not fit");
    says("conv 6 5\n relu; dense 10", "unknown layer 'relu'"); // its line ended it
    says("dense 1048576; dense 1048576; dense 10", "too large");
    std::string many;
    for (int l = 0; l < 25; ++l) many += "dense 10; ";
    says(many, "too many");
}

TEST_CASE("a refusal quotes what was typed, and its hint is about the kind of layer that is wrong") {
    const auto ends = [&](const std::string& text, const std::string& hint) {
        CAPTURE(text);
        CHECK_MESSAGE(refusal(text).ends_with("; " + hint), refusal(text));
    };
    const auto like = [](const std::string& layer) { return "write it like " + layer + ", and ';' between layers"; };
    ends("dense x; dense 10", like("dense 128 relu"));
    ends("conv 6; dense 10", like("conv 16 5 relu"));
    ends("conv 6 5: dense 10", like("conv 16 5 relu"));
    ends("maxpool; dense 10", like("maxpool 2"));
    ends("meanpool 2 stride; dense 10", like("meanpool 2"));
    const auto form = [&](const std::string& text, const std::string& words) {
        CHECK_MESSAGE(refusal(text).find("(such a layer is " + words + ", and ends with") != std::string::npos,
                      refusal(text));
    };
    form("dense 12 rleu; dense 10", "dense UNITS [relu|tanh|sigmoid]");
    form("conv 6 5 strid 2; dense 10", "conv FILTERS SIDE [stride N] [pad N] [relu|tanh|sigmoid]");
    form("maxpool 2 relu; dense 10", "maxpool SIDE [stride N]");
    form("dropout 0.5 relu; dense 10", "dropout RATE");
    form("batchnorm 3; dense 10", "batchnorm [relu|tanh|sigmoid]");
    CHECK(refusal("mlp-784-128-9") ==
          "network: 'mlp-784-128-9' makes 9 scores (the images have 10 classes); write mlp-784-128-10");
    CHECK(refusal("lenet", {8, 8, 1}).starts_with("network: 'lenet' does not fit ("));
    CHECK(refusal("mlp-784-1000000-10000-10").starts_with("network: 'mlp-784-1000000-10000-10' is too large ("));
    ends("conv 6 5", "end it with dense 10, behind a ';' (a ',' begins another network)"); // of 'conv 6 5, dense 10'
}
