// Names and descriptions of networks: what they mean, and what is refused.
#include "engine/network.h"

#include "engine/error.h"

#include <doctest/doctest.h>

#include <string>

using namespace hogwild;

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
    const auto refusal = [](std::uint32_t classes) -> std::string {
        try {
            network_of("dense 10", {28, 28, 1}, classes);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    CHECK(refusal(2) == "network: its last layer makes 10 scores (no image has a label above 1, and 2 classes are the "
                        "fewest); end it with dense 2");
    CHECK(refusal(3) == "network: its last layer makes 10 scores (the images have 3 classes); end it with dense 3");
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

TEST_CASE("what no network is made of is refused with the reason") {
    const auto refusal = [](const std::string& text) -> std::string {
        try {
            network_of(text, {28, 28, 1}, 10);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    const auto says = [&](const std::string& text, const std::string& words) {
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
    says("mlp-784-0-10", "network: 'dense 0 relu' needs a number of units ('0' is no number");
    says("dense 99999999999; dense 10", "is no number");
    says("dens 10", "unknown layer 'dens'");
    says("dense 10 relu", "makes no scores");
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
    says("mlp-x-10", "names no number of inputs");
    says("mlp-784-x-10", "'dense x relu' needs a number of units ('x' is no number");
    says("dense 4;\t maxpool 30 ; dense 10", "network: 'maxpool 30' does not fit");
    says("conv 6 5\n relu; dense 10", "unknown layer 'relu'"); // its line ended it
    says("dense 1048576; dense 1048576; dense 10", "too large");
    std::string many;
    for (int l = 0; l < 25; ++l) many += "dense 10; ";
    says(many, "too many");
}
