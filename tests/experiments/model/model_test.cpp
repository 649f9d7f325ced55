#include "experiments/model/model.h"

#include "engine/error.h"
#include "experiments/model/model_formats.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace hogwild {
namespace {

const std::vector<std::string> kEndings = {".npy", ".safetensors", ".model", ".liblinear"};

Model sample(const std::string& problem = "logistic") {
    Model model;
    model.weights = {0.1f, -2.5f, 0, -0.0f, 1e-38f, 3.4028235e38f, std::numeric_limits<float>::denorm_min(), 1.0f / 3};
    model.problem = problem;
    model.has_labels = true;
    model.positive = 2;
    model.negative = 1;
    return model;
}

void write(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

std::string refusal(const std::filesystem::path& path, const std::string& bytes) {
    write(path, bytes);
    try {
        load_model(path.string());
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("weights come back bit for bit from every format") {
    const Scratch scratch;
    const Model model = sample();
    for (const std::string& ending : kEndings) {
        CAPTURE(ending);
        const std::string file = (scratch.path / ("weights" + ending)).string();
        save_model(file, model);
        const Model back = load_model(file);
        REQUIRE(back.weights.size() == model.weights.size());
        CHECK(std::memcmp(back.weights.data(), model.weights.data(), model.weights.size() * sizeof(float)) == 0);
        CHECK_FALSE(back.real_labels);
        if (ending == ".npy") continue; // weights alone
        CHECK(back.problem == "logistic");
        CHECK(back.has_labels);
        CHECK(back.positive == 2);
        CHECK(back.negative == 1);
    }
}

TEST_CASE("whether labels are real comes back, and of a problem that liblinear lacks nothing wrong") {
    Model model = sample("squared");
    CHECK(read_liblinear(liblinear_text(model), "x").problem.empty());
    model.real_labels = true;
    model.has_labels = false;
    for (const Model& back :
         {read_liblinear(liblinear_text(model), "x"), read_safetensors(safetensors_bytes(model), "x")}) {
        CHECK(back.real_labels);
        CHECK_FALSE(back.has_labels);
    }
}

TEST_CASE("a .safetensors file of a network says its layers, its images and its classes") {
    Model model;
    model.problem = "network";
    model.real_labels = true;
    model.weights = {1, 2, 3};
    model.network = "conv 6 5 relu; dense 10";
    model.images = "28x28x1";
    model.labels = 10;
    const Model back = read_safetensors(safetensors_bytes(model), "x");
    CHECK(back.network == model.network);
    CHECK(back.images == "28x28x1");
    CHECK(back.labels == 10);
    CHECK(read_safetensors(safetensors_bytes(sample()), "x").network.empty());
}

TEST_CASE("a .npy file is NumPy's, byte for byte") {
    Model model;
    model.weights = {1, -2};
    std::string expected = "\x93NUMPY";
    expected += {'\x01', '\x00', '\x76', '\x00'}; // version 1.0, header of 118 bytes: data begin at 128
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
    header.resize(117, ' ');
    expected += header + '\n' + std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8);
    CHECK(npy_bytes(model) == expected);
}

TEST_CASE("data begin at a multiple of 64 in .npy and of 8 in .safetensors, whatever the number of weights") {
    for (const std::size_t count : {1u, 9u, 10u, 99u, 100u, 12'345u, 1'234'567u}) {
        Model model;
        model.weights.resize(count, 1);
        CHECK((npy_bytes(model).size() - 4 * count) % 64 == 0);
        CHECK((safetensors_bytes(model).size() - 4 * count) % 8 == 0);
    }
}

TEST_CASE("a file that was cut anywhere is no model") {
    const Scratch scratch;
    for (const std::string& ending : kEndings) {
        CAPTURE(ending);
        const std::filesystem::path path = scratch.path / ("weights" + ending);
        save_model(path.string(), sample());
        const std::string whole = text_of(path);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            CAPTURE(size);
            CHECK_FALSE(refusal(path, whole.substr(0, size)).empty());
        }
    }
}

TEST_CASE("what is no model is refused with its reason and what to try") {
    const Scratch scratch;
    const auto npy = scratch.path / "x.npy", tensors = scratch.path / "x.safetensors", text = scratch.path / "x.model";
    CHECK(has(refusal(npy, "PK\x03\x04 a zip archive, as numpy.savez writes"), "does not begin as a .npy file"));
    std::string bytes = npy_bytes(sample());
    bytes[6] = 2;
    CHECK(has(refusal(npy, bytes), "version 2"));
    bytes = npy_bytes(sample());
    bytes.replace(bytes.find("<f4"), 3, "<f8");
    CHECK(has(refusal(npy, bytes), "numbers are '<f8', not '<f4'"));
    bytes = npy_bytes(sample());
    bytes.replace(bytes.find("(8,), "), 6, "(2, 4)");
    CHECK(has(refusal(npy, bytes), "shape is (2, 4), not one dimension"));
    bytes = npy_bytes(sample());
    bytes.replace(bytes.find("(8,), "), 6, "(9,), ");
    CHECK(has(refusal(npy, bytes), "32 bytes of 9 weights"));

    CHECK(has(refusal(tensors, "short"), "first 8 bytes"));
    CHECK(has(refusal(tensors, std::string(8, '\xff') + "{}"), "header should have 18446744073709551615 bytes"));
    CHECK(has(refusal(tensors, std::string("\x02\0\0\0\0\0\0\0[]", 10)), "tensors"));
    CHECK(has(refusal(tensors, std::string("\x02\0\0\0\0\0\0\0{]", 10)), "not that of a .safetensors file"));
    bytes = safetensors_bytes(sample());
    bytes.replace(bytes.find("F32"), 3, "F16");
    CHECK(has(refusal(tensors, bytes), "is F16, not F32"));
    bytes = safetensors_bytes(sample());
    bytes.replace(bytes.find("[0,32]"), 6, "[0,36]");
    CHECK(has(refusal(tensors, bytes), "lies in [0, 36)"));

    CHECK(has(refusal(text, "svm_type c_svc\n"), "not the text of liblinear's train: 'svm_type'"));
    CHECK(has(refusal(text, "solver_type L2R_LR\nnr_class 3\n"), "has 3 classes"));
    CHECK(has(refusal(text, "nr_class 2\nlabel 1 -1\nnr_feature 1\nbias 1\nw\n1\n2\n"), "has a bias"));
    CHECK(has(refusal(text, "nr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n1\n"), "1 weights of 2"));
    CHECK(has(refusal(text, "nr_feature 2\nbias -1\nw\n1\nnan\n"), "weight 2 is 'nan', no finite number"));
    CHECK(
        has(refusal(text, "nr_feature 2\nbias -1\nw\n1\n1e39\n"), "weight 2 is '1e39', larger than the largest float"));
    CHECK(has(refusal(text, "nr_feature 1\nbias -1\nw\n1e300\n"), "weight 1 is '1e300', larger than"));
    CHECK(
        has(refusal(text, "nr_feature 99999999999\nbias -1\nw\n1\n"), "has 99999999999 features, and 4294967295 are"));
    CHECK(has(refusal(text, "nr_feature 1e400\n"), "'1e400', it is beyond the largest number"));
    CHECK(has(refusal(text, "label 1e400 1\n"), "'1e400', larger than the largest float"));
    CHECK(has(refusal(text, "label one 1\n"), "'one', not a number"));
    CHECK(has(refusal(text, std::string("\0\x1b[2J\n", 6)), "liblinear's train: '\\x00\\x1b[2J'"));
    for (const auto& path : {npy, tensors, text}) CHECK(has(refusal(path, ""), "; "));
}

TEST_CASE("a head that contradicts itself, or tells no two classes apart, is no model's") {
    const Scratch scratch;
    const auto text = scratch.path / "x.model", tensors = scratch.path / "x.safetensors";
    const std::string rest = "nr_feature 1\nbias -1\nw\n1\n";
    CHECK(has(refusal(text, "label 1 2\nlabel 2 1\n" + rest), "says label twice"));
    CHECK(has(refusal(text, "nr_feature 2\n" + rest), "says nr_feature twice"));
    CHECK(has(refusal(text, "label 3 3\n" + rest), "both of its classes are 3"));
    CHECK(has(refusal(text, "solver_type ONECLASS_SVM\n" + rest), "ONECLASS_SVM tells no classes apart"));
    const auto with = [&](const std::string& found, const std::string& odd) {
        Model model = sample();
        model.has_labels = true;
        model.positive = 20;
        model.negative = 10;
        std::string bytes = safetensors_bytes(model);
        return refusal(tensors, bytes.replace(bytes.find(found), found.size(), odd));
    };
    CHECK(has(with(R"("positive_label":"20")", R"("positive_label":"10")"), "both of its classes are 10"));
    CHECK(has(with(R"("positive_label":"20")", R"("positive_label":"ab")"), "'ab' and '10', are no two numbers"));
    CHECK(has(with(R"("positive_label":"20")", R"("positive_label":"  ")"), "are no two numbers"));
    CHECK(has(with(R"("positive_label")", R"("positive_habel")"), "'' and '10', are no two numbers"));
    CHECK(has(with(R"("real_labels":"false")", R"("real_labels":"False")"), "is 'False', neither true nor false"));
}

/// A file of this header and so many bytes of tensors.
std::string tensors_of(const std::string& header, std::size_t bytes) {
    std::string file(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) file[i] = static_cast<char>(header.size() >> (8 * i));
    return file + header + std::string(bytes, '\0');
}

TEST_CASE("shapes and places of tensors are held against the file before anything is read by them") {
    const auto tensor = [](const std::string& name, const std::string& shape, const std::string& place) {
        return '"' + name + R"(":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + place + '}';
    };
    const auto refused = [](const std::string& header, std::size_t bytes = 8) {
        try {
            read_safetensors(tensors_of(header, bytes), "x");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    const auto one = [&](const std::string& shape, const std::string& place) {
        return refused('{' + tensor("weights", shape, place) + '}');
    };
    CHECK(one("[2]", "[0,8]") == "accepted");
    CHECK(one("[1,2]", "[0,8]") == "accepted");
    CHECK(has(one("[2.5]", "[0,8]"), "a size of its tensor weights is no whole number"));
    CHECK(has(one("[-1]", "[0,8]"), "a size of its tensor weights is no whole number"));
    CHECK(has(one("[\"2\"]", "[0,8]"), "a size of its tensor weights is no whole number"));
    CHECK(has(one("2", "[0,8]"), "its 'shape' is 2, not a list"));
    CHECK(has(one("[2]", "[8]"), "its tensor weights has no two data_offsets"));
    CHECK(has(one("[2]", "[-8,0]"), "an offset of its tensor weights is no whole number"));
    CHECK(has(one("[2]", "[8,0]"), "lies in [8, 0)"));
    CHECK(has(one("[18446744073709551615]", "[0,8]"), "of 18446744073709551615 weights lies in [0, 8)"));
    CHECK(has(one("[4611686018427387904]", "[0,8]"), "weights lies in [0, 8)")); // times 4 is 2^64
    CHECK(has(one("[1]", "[0,4]"), "it holds 8 bytes, its tensors end at 4"));
    CHECK(has(one("[1]", "[4,8]"), "no tensor of it holds the bytes [0, 4)"));
    CHECK(has(refused('{' + tensor("weights", "[2]", "[0,8]") + ',' + tensor("b", "[1]", "[4,8]") + '}'),
              "its tensor b begins at 4, and another one ends at 8"));
    CHECK(has(refused('{' + tensor("weights", "[1]", "[0,4]") + ',' + tensor("b", "[1]", "[8,12]") + '}', 12),
              "no tensor of it holds the bytes [4, 8)"));
    CHECK(refused('{' + tensor("b", "[1]", "[4,8]") + ',' + tensor("weights", "[1]", "[0,4]") + '}') == "accepted");
    for (const char* header : {"3", "\"weights\"", R"({"weights":3})", R"({"weights":{}})", R"({"__metadata__":1})"})
        CHECK(has(refused(header), "x is no model that can be used ("));
    const std::string deep(100'000, '[');
    CHECK(has(refused(R"({"weights":)" + deep + std::string(100'000, ']') + '}'), "nested too deep"));
    CHECK(has(refused(deep), "nested too deep"));
}

TEST_CASE("a bias is no part of a model that can be used, whatever its format") {
    const std::string header = R"({"weights":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                               R"("bias":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})";
    CHECK_THROWS_WITH_AS(read_safetensors(tensors_of(header, 12), "x"), doctest::Contains("it has a bias"), Error);
    CHECK_THROWS_WITH_AS(read_liblinear("nr_feature 1\nbias 1\nw\n1\n2\n", "x"), doctest::Contains("it has a bias"),
                         Error);
}

TEST_CASE("metadata are texts without control characters, or refused") {
    const std::string tensor = R"("weights":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
    const auto with = [&](const std::string& metadata) {
        return tensors_of(R"({"__metadata__":)" + metadata + ',' + tensor + '}', 4);
    };
    CHECK(read_safetensors(with(R"({"problem":"hinge","of":"others"})"), "x").problem == "hinge");
    for (const char* odd :
         {R"({"problem":"\u001b]0;title\u0007"})", R"({"network":"dense 10\u001b[2J"})", R"({"images":"28x28x1\r"})",
          R"({"problem":3})", R"({"classes":["10"]})", "[]", "3", R"({"classes":"4294967306"})"})
        CHECK_THROWS_AS(read_safetensors(with(odd), "x"), Error);
}

TEST_CASE("a model's count is a whole number, and of a dimension without elements there is none") {
    std::string bytes = npy_bytes(sample());
    bytes.replace(bytes.find("(8,), "), 6, "(0, 8)");
    CHECK_THROWS_WITH_AS(read_npy(bytes, "x"), doctest::Contains("shape is (0, 8), not one dimension"), Error);
    CHECK_THROWS_WITH_AS(read_liblinear("nr_feature 1.5\nbias -1\nw\n1\n", "x"),
                         doctest::Contains("does not say how many features"), Error);
}

TEST_CASE("a key that stands twice in the header of a .npy file is refused, since programs take one or the other") {
    const auto with = [](const std::string& more) {
        std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (8,), " + more + "}";
        header.append(118 - header.size() - 1, ' ') += '\n';
        std::string bytes{"\x93NUMPY\x01\x00\x76\x00", 10};
        return bytes + header + std::string(32, '\0');
    };
    CHECK(read_npy(with(""), "x").weights.size() == 8);
    for (const std::string more :
         {"'shape': (4,2),", "\"shape\": (4,2),", "'descr': '<i4',", "'fortran_order': True,"}) {
        CAPTURE(more);
        CHECK_THROWS_WITH_AS(read_npy(with(more), "x"), doctest::Contains("twice"), Error);
    }
}

TEST_CASE("weights that are not finite are no model, wherever they stand") {
    const Scratch scratch;
    for (const std::string ending : {".npy", ".safetensors"}) {
        for (const float bad : {std::nanf(""), HUGE_VALF, -HUGE_VALF}) {
            Model model = sample();
            model.weights[6] = bad;
            const std::string file = (scratch.path / ("weights" + ending)).string();
            save_model(file, model);
            CHECK_THROWS_WITH_AS(load_model(file), doctest::Contains("weight 7 of 8 is"), Error);
        }
    }
}

TEST_CASE("a matrix of one row or column, as other programs save one model, is its weights") {
    const Scratch scratch;
    for (const std::string shape : {"(1, 8)", "(8, 1)"}) {
        std::string bytes = npy_bytes(sample());
        bytes.replace(bytes.find("(8,), "), 6, shape);
        write(scratch.path / "x.npy", bytes);
        CHECK(load_model((scratch.path / "x.npy").string()).weights == sample().weights);
    }
    std::string bytes = safetensors_bytes(sample());
    bytes.replace(bytes.find("\"weights\":"), 10, "\"fc.bias\":"); // the only tensor there is
    write(scratch.path / "x.safetensors", bytes);
    CHECK(load_model((scratch.path / "x.safetensors").string()).weights == sample().weights);
}

TEST_CASE("a name that no model can be written to is known before anything runs") {
    const Scratch scratch;
    CHECK_THROWS_WITH_AS(check_model_file("weights.dat"), doctest::Contains(".npy, .safetensors"), Error);
    CHECK_THROWS_AS(check_model_file("weights"), Error);
    CHECK_THROWS_WITH_AS(check_model_file((scratch.path / "absent" / "w.npy").string()), doctest::Contains("no folder"),
                         Error);
    CHECK_THROWS_AS(check_model_file("/proc/w.npy"), Error);
    CHECK_NOTHROW(check_model_file((scratch.path / "w.npy").string()));
    CHECK(std::filesystem::is_empty(scratch.path));
}

} // namespace
} // namespace hogwild
