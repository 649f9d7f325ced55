#include "experiments/sweep/spec/spec.h"

#include "engine/error.h"
#include "experiments/folder/result.h"
#include "experiments/sweep/spec/cases.h"
#include "experiments/sweep/spec/run_words.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>

using namespace hogwild;
using Texts = std::vector<std::string>;

namespace {

std::string refusal(const std::string& text, const std::vector<std::string>& changes = {}) {
    try {
        cases(parse_spec(text, "s.toml", changes));
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kUsage);
        return error.what();
    }
    return "no error";
}

/// "scheme=serial threads=2" of the options named.
std::string shown(const Case& settings, const Texts& options) {
    std::string text;
    for (const std::string& option : options) {
        const std::string* value = value_of(settings, option);
        text += (text.empty() ? "" : " ") + (value == nullptr ? "-" : *value);
    }
    return text;
}

constexpr const char* kPaper = R"(
[run]
data = "synthetic:rcv1/50"
epochs = 20
l2 = 1e-4
[axes]
scheme = ["serial", "hogwild", "round-robin"]
threads = "[pow2 1..2]"
[[exclude]]
scheme = "round-robin"
threads = [1, 7]
[[override]]
when = { scheme = "round-robin" }
set = { epochs = 2 }
[seeds]
final = "1..3"
tuning = [11, 12]
[targets]
target = "gap:1e-2"
[tuning]
step-scale = "[log 0.1..10 x3]"
batch = [64, 256]
extend = 1
[report]
title = "Rivals"
)";

} // namespace

TEST_CASE("cases are the product of the axes, less what is excluded, with what is overridden") {
    const Spec spec = parse_spec(kPaper, "s.toml");
    Texts all;
    for (const Case& each : cases(spec)) all.push_back(shown(each, {"scheme", "threads", "epochs", "target"}));
    CHECK(all == Texts{"serial 1 20 gap:1e-2", "serial 2 20 gap:1e-2", "hogwild 1 20 gap:1e-2", "hogwild 2 20 gap:1e-2",
                       "round-robin 2 2 gap:1e-2"});
    CHECK(spec.seeds == Texts{"1", "2", "3"});
    CHECK(spec.tuning_seeds == Texts{"11", "12"});
    CHECK(spec.extend == 1);
    CHECK(spec.title == "Rivals");
}

TEST_CASE("candidates are the product of what is tuned; where nothing is, one that tries nothing") {
    const Spec spec = parse_spec(kPaper, "s.toml");
    for (const Case& each : cases(spec)) CHECK(candidates(spec, each).size() == 6);
    CHECK(candidates(Spec{}, {}) == std::vector<Case>{Case{}});
}

TEST_CASE("an override's lists take the place of those that are tuned, or come beside them, where it holds") {
    const Spec spec =
        parse_spec("[axes]\nscheme = ['local-sgd', 'async-local-sgd', 'serial']\nthreads = [2]\n"
                   "[tuning]\nstep-scale = [1, 2]\nexchange = [64, 256, 1024]\n"
                   "[[override]]\nwhen = { scheme = 'async-local-sgd' }\nset = { threads = 4 }\n"
                   "tune = { exchange = [16, 32], coupling = [0.5] }\n"
                   "[[override]]\nwhen = { scheme = 'async-local-sgd', threads = 4 }\ntune = { exchange = [8] }\n",
                   "s.toml");
    std::map<std::string, Texts> tried;
    for (const Case& each : cases(spec)) {
        for (const Case& candidate : candidates(spec, each))
            tried[*value_of(each, "scheme")].push_back(shown(candidate, {"step-scale", "exchange", "coupling"}));
    }
    CHECK(tried["async-local-sgd"] == Texts{"1 16 0.5", "2 16 0.5", "1 32 0.5", "2 32 0.5"});
    CHECK(tried["serial"].size() == 6);
    CHECK(tried["local-sgd"].size() == 6);
    CHECK(refusal("[tuning]\nstep-scale = [1, 2]\nextend = 1\n[[override]]\nwhen = { scheme = 'serial' }\n"
                  "tune = { batch = [1] }\n[run]\nscheme = 'serial'")
              .find("s.toml: extend cannot go with `tune`") == 0);
    CHECK(refusal("[run]\nscheme = 'serial'\n[[override]]\nwhen = { scheme = 'serial' }\ntune = { epochs = [1, 2] }")
              .find("unknown key 'epochs'") != std::string::npos);
}

TEST_CASE("conditions compare numbers as numbers") {
    const Spec spec =
        parse_spec("[run]\nl2=1e-4\n[axes]\nscheme=['serial','hogwild']\n[[exclude]]\nl2=0.0001\nscheme='serial'", "s");
    CHECK(cases(spec).size() == 1);
}

TEST_CASE("a change on the command line is as if the file said so") {
    const Spec spec =
        parse_spec(kPaper, "s.toml", {"run.epochs=3", "axes.threads=4", "seeds.final=9", "report.note=x"});
    CHECK(shown(cases(spec)[0], {"threads", "epochs"}) == "4 3");
    CHECK(spec.seeds == Texts{"9"});
    CHECK(spec.note == "x");
    CHECK(parse_spec(kPaper, "s.toml", {"axes.threads=[2, 4]"}).axes.back().values == Texts{"2", "4"});
    CHECK(refusal(kPaper, {"epochs=3"}).find("--set cannot be 'epochs=3'") == 0);
    CHECK(refusal(kPaper, {"exclude.scheme=x"}).find("--set cannot change 'exclude'") == 0);
    CHECK(refusal("run = 3", {"run.epochs=3"}).find("--set cannot change 'run' (in the file it is no table)") == 0);
    CHECK(refusal(kPaper, {"run.epoch=3"}).find("--set: unknown key 'epoch' in [run]") == 0);
}

TEST_CASE("a change that is given twice is refused, whatever its values") {
    for (const char* second : {"run.epochs=5", "run.epochs=3"}) {
        CHECK_THROWS_WITH_AS(parse_spec("", "s.toml", {"run.epochs=3", "run.l2=0", second}),
                             doctest::Contains("--set gives run.epochs twice (as 'run.epochs=3' and as"), Error);
    }
}

TEST_CASE("what the file says wrong is said with its line and column, why, and what is known") {
    const auto says = [](const std::string& text, const std::string& what) {
        const std::string said = refusal(text);
        CAPTURE(text);
        CHECK_MESSAGE(said.find(what) != std::string::npos, said);
    };
    says("[run]\nepochs = 1\nthredas = 4", "s.toml:3:11: unknown key 'thredas' in [run] (known: ");
    says("[runs]\n", "s.toml:1:1: unknown key 'runs' in the file (known: run, axes");
    says("[axes]\nepochs = []", "s.toml:2:10: 'epochs' in [axes] is empty");
    says("[run]\nl2 = nan", "s.toml:2:6: 'l2' in [run] cannot be nan (it is no finite number)");
    says("[axes]\nstep-size = [1, inf]", "s.toml:2:17: 'step-size' in [axes] cannot be inf");
    says("[axes]\nobserve = [1, 2]", "s.toml:2:11: unknown key 'observe' in [axes]");
    says("[run]\nthreads = [1, 2]", "s.toml:2:11: 'threads' in [run] is no single value");
    says("[run]\nthreads = '1..4'", "s.toml:2:11: threads cannot be '1..4' (it is a list");
    says("[run]\nepochs = 'many'", "s.toml:2:10: --epochs cannot be 'many'");
    says("[run]\nscheme = 'serail'", "s.toml:2:10: unknown scheme 'serail' (known: serial, ");
    says("[axes]\nupdate = ['racy', 'atomik']", "s.toml:2:10: unknown update 'atomik' (known: racy, ");
    says("[axes]\nscheme = ['serial']\n[[exclude]]\nscheme = 'minibach'", "s.toml:4:10: unknown scheme 'minibach'");
    says("[axes]\nscheme = ['serial']\n[[override]]\nwhen = { scheme = 'serail' }\nset = { epochs = 2 }",
         "s.toml:4:19: unknown scheme 'serail'");
    says("[axes]\nthreads = '[pow2 0..4]'", "s.toml:2:11: threads cannot be '[pow2 0..4]'");
    says("[axes]\nthreads = [0]", "s.toml:2:11: threads cannot be '0'");
    says("[[exclude]]\nguard = 'none'", "an [[exclude]] asks for 'guard' (neither [run] nor [axes] sets it)");
    for (const char* table : {"run", "axes"}) {
        for (const char* option : {"data", "test", "cache"}) {
            if (std::string(table) == "axes" && std::string(option) != "data") continue;
            says(fmt::format("[{}]\n{} = ''", table, option),
                 fmt::format("s.toml:2:{}: --{} has an empty value", 4 + std::string(option).size(), option));
        }
    }
    says("[axes]\ndata = ['a.svm', '']", "s.toml:2:8: --data has an empty value");
    says("[exclude]\nscheme = 'x'", "s.toml:1:1: exclude is no list of tables");
    says("[[override]]\nset = { epochs = 2 }", "s.toml:1:1: an [[override]] lacks `when`, or `set` and `tune`");
    says("[tuning]\nextend = 99", "s.toml:2:10: extend cannot be '99'");
    says("[seeds]\nfinal = 'one'", "s.toml:2:9: seed cannot be 'one'");
    says("[run\n", "s.toml:1:");
    says("[run]\noutput = 'x'", "unknown key 'output'");
    says("[run]\noversubscribe = 3", "oversubscribe cannot be '3' (it is a yes or a no)");
    says("run = 3", "s.toml:1:7: [run] is no table");
    says("[data]\nmissing = 'skip'", "s.toml:2:11: missing cannot be 'skip'");
    says("[data]\nmissing = true", "s.toml:2:11: missing cannot be 'true'");
    says("[data]\nabsent = 'error'", "s.toml:2:10: unknown key 'absent' in [data] (known: missing)");
    says("[tuning]\nl2 = [1, 2]", "s.toml:2:6: unknown key 'l2' in [tuning]");
    says("[tuning]\ndelay = [0, 1e-6]", "s.toml:2:9: unknown key 'delay' in [tuning]");
    says("[seeds]\nfinal='1..200'\n[tuning]\nbatch=[1,2]", "seed 101 is for tuning and for final runs");
}

TEST_CASE("a publication's number is whole, or an error with its line and column") {
    const auto refused = [](const std::string& key, const std::string& value) {
        std::string text = "[[paper]]\n";
        for (const auto& [name, usual] :
             std::initializer_list<std::pair<const char*, const char*>>{{"source", "'A, 2011, figure 2'"},
                                                                        {"hardware", "'dual Xeon'"},
                                                                        {"data", "'RCV1'"},
                                                                        {"what", "'20 epochs'"},
                                                                        {"value", "9.5"},
                                                                        {"unit", "'s'"},
                                                                        {"column", "'seconds'"},
                                                                        {"where", "{ scheme = 'hogwild', l2 = 1e-4 }"},
                                                                        {"note", "'another machine'"}}) {
            if (name != key) text += fmt::format("{} = {}\n", name, usual);
        }
        if (!value.empty()) text += key + " = " + value + '\n';
        return refusal(text);
    };
    const auto says = [&](const std::string& key, const std::string& value, const std::string& what) {
        const std::string said = refused(key, value);
        CHECK_MESSAGE(said.find(what) != std::string::npos, said);
    };
    says("over", "{ scheme = 'serial', data = 'a,b' }", "no error");
    says("value", "1_640_000", "no error");
    says("values", "1",
         "s.toml:11:10: unknown key 'values' in [[paper]] (known: source, hardware, data, what, value, unit, column, ");
    for (const char* key : {"source", "hardware", "data", "what", "value", "unit", "column", "where", "note"})
        says(key, "", fmt::format("s.toml:1:1: a [[paper]] lacks `{}`", key));
    says("value", "'9.5 s'", "s.toml:10:9: value of a [[paper]] is no number");
    says("value", "true", "s.toml:10:9: value of a [[paper]] is no number");
    says("value", "nan", "s.toml:10:9: value of a [[paper]] is no number");
    says("source", "2011", "s.toml:10:10: source of a [[paper]] is no text");
    says("column", "'second'", "s.toml:10:10: column of a [[paper]] cannot be 'second' (known: seconds, ");
    says("where", "'serial'", "s.toml:10:9: where of a [[paper]] is no table");
    says("where", "{ epoch = 2 }", "s.toml:10:19: unknown key 'epoch' in where of a [[paper]] (known: ");
    says("where", "{ step-scale = 2 }", "s.toml:10:24: unknown key 'step-scale' in where of a [[paper]]");
    says("where", "{ threads = [1, 2] }", "s.toml:10:21: 'threads' in where of a [[paper]] is no single value");
    says("over", "{ threads = '1..4' }", "s.toml:11:20: threads cannot be '1..4' (it is a list");
    CHECK(refusal("[paper]\nvalue = 1").find("s.toml:1:1: paper is no list of tables") == 0);
    CHECK(refusal("", {"paper.value=3"}).find("--set cannot change 'paper' (there may be many of these)") == 0);

    const std::string known = refused("column", "''");
    std::string header = ',' + summary_header();
    header.back() = ','; // was the end of the line
    std::istringstream columns(known.substr(known.find("known: ") + 7, known.find(')') - known.find("known: ") - 7));
    for (std::string column; columns >> column;) {
        if (column.back() == ',') column.pop_back();
        CHECK_MESSAGE(header.find("," + column + ",") != std::string::npos, column);
    }
}

TEST_CASE("a missing file is said to be") {
    CHECK_THROWS_WITH_AS(read_spec("/nowhere/s.toml"), doctest::Contains("cannot read /nowhere/s.toml"), Error);
}

TEST_CASE(
    "a run's words are those that would be typed; the last word on an option holds, and no flag is said in vain") {
    CHECK(words_of({{"network", "conv 6 5;\n  maxpool 2;\n\n dense 10\n"}}).back() == "conv 6 5; maxpool 2; dense 10");
    CHECK(words_of({{"epochs", "2"}, {"oversubscribe", "false"}, {"epochs", "3"}, {"optimum", "true"}}) ==
          Texts{"hogwild", "run", "--epochs", "3", "--optimum"});
    const RunOptions options = options_of({{"data", "x"}, {"threads", "3"}, {"target", "gap:1e-2"}});
    CHECK(options.data.name == "x");
    CHECK(options.target->is_gap);
}

TEST_CASE("a sweep says how many candidates each has, whether they are halved, and what is screened") {
    const Spec spec = parse_spec("[tuning]\nstep-scale = [1, 2]\ncandidates = 12\nhalve = true\n"
                                 "[screen]\nserial = 1\nasync = 4\n[finalists]\nserial = 2\n",
                                 "s.toml");
    CHECK(spec.candidates == 12);
    CHECK(spec.halve);
    CHECK(spec.tuning.size() == 1);
    REQUIRE(spec.screen);
    CHECK(*spec.screen == ByKind{{"serial", 1}, {"async", 4}});
    CHECK(spec.finalists_of("serial") == 2);
    CHECK(spec.finalists_of("minibatch") == 1);
    const Spec plain = parse_spec("[tuning]\nstep-scale = [1, 2]\n", "s.toml");
    CHECK(plain.finalists_of("serial") == 1);
    CHECK(plain.candidates == 0);
    CHECK_FALSE(plain.halve);
    CHECK_FALSE(plain.screen);
    CHECK(refusal("[tuning]\ncandidates = 1.5\n").find("candidates cannot be '1.5'") != std::string::npos);
    CHECK(refusal("[tuning]\nhalve = 3\n").find("halve cannot be '3' (it is a yes or a no)") != std::string::npos);
    CHECK(refusal("[tuning]\ncandidates = 3\nextend = 1\n").find("extend cannot go with") != std::string::npos);
    CHECK(refusal("[screen]\nlock-free = 1\n").find("lock-free") != std::string::npos);
    CHECK(refusal("[screen]\nsync = -1\n").find("sync cannot be '-1'") != std::string::npos);
    CHECK(refusal("[finalists]\nserial = 0\n").find("serial cannot be '0'") != std::string::npos);
    CHECK(refusal("[finalists]\nminibatch = 2\n").find("minibatch") != std::string::npos);
    CHECK(refusal("[screen]\nsync = 1\n[seeds]\ntuning = 1\n").find("is for tuning and for final runs") !=
          std::string::npos);
}

TEST_CASE("data in a condition is a file wherever it lies, and one that is not there today is no mistake") {
    const Spec spec = parse_spec("[run]\nscheme='serial'\nepochs=1\n[axes]\ndata=['far/away/a.svm', 'b.svm']\n"
                                 "[[override]]\nwhen={data='a.svm'}\nset={epochs=5}\n"
                                 "[[override]]\nwhen={data='c.svm'}\nset={epochs=7}\n",
                                 "s.toml");
    const std::vector<Case> all = cases(spec);
    REQUIRE(all.size() == 2);
    CHECK(*value_of(all[0], "epochs") == "5");
    CHECK(*value_of(all[1], "epochs") == "1");
    CHECK(idle_conditions(spec).empty());
}

TEST_CASE("the size of a sweep is counted before it is expanded") {
    const auto refused = [](const std::string& text, const char* why) {
        CHECK_THROWS_WITH_AS(check_runs(parse_spec(text, "s.toml")), doctest::Contains(why), Error);
    };
    refused("[axes]\nstep-size = '[1:50]'\nl2 = '[1:50]'\ndelay = '[1:50]'\n",
            "125,000 combinations of [axes] are too many (a sweep has 100,000 at most)");
    refused("[axes]\nstep-size = '[1:100]'\nl2 = '[1:100]'\ndelay = '[1:10]'\n[seeds]\nfinal = '1..11'\n",
            "1,100,000 runs are too many (a sweep has 1,000,000 at most)");
    const std::string tuned = "[axes]\nl2 = '[1:100]'\n[seeds]\ntuning = [11, 12]\nfinal = [1]\n"
                              "[tuning]\nstep-size = '[1:100]'\nbatch = '[1:100]'\n";
    refused(tuned, "2,000,100 runs are too many");
    check_runs(parse_spec(tuned + "candidates = 12\n", "s.toml")); // so many of them are tried
    const Spec wide = parse_spec("[tuning]\nstep-size = '[1:400]'\nbatch = '[1:400]'\n", "s.toml");
    CHECK_THROWS_WITH_AS(candidates(wide, {}), doctest::Contains("160,000 candidates of [tuning] are too many"), Error);
    std::string many = "[axes]\n"; // 100^6: beyond what a machine could hold
    for (const char* axis : {"step-size", "l2", "delay", "batch", "epochs", "step-scale"})
        many += std::string(axis) + " = '[1:100]'\n";
    refused(many, " combinations of [axes] are too many");
}

TEST_CASE("tables that nest too deep are refused with their line before anything is made of them") {
    const auto refused = [](const std::string& text, const char* why) {
        CHECK_THROWS_WITH_AS(parse_spec(text, "s.toml"), doctest::Contains(why), Error);
    };
    std::string dotted = "a", inlined;
    for (int i = 0; i < 100'000; ++i) dotted += ".a";
    for (int i = 0; i < 100; ++i) inlined += "{ a = ";
    refused(dotted + " = 1", "s.toml:1: tables nest too deep (");
    refused("[run]\n[" + dotted + "]\n", "s.toml:2: tables nest too deep (");
    refused("[run]\ndata = " + std::string(100'000, '['), "s.toml:2: tables nest too deep (");
    refused("# one\n\n[run]\ndata = " + inlined, "s.toml:4: tables nest too deep (");
    // Dots and brackets of texts and comments are none.
    const std::string dots(100, '.'), brackets(100, '[');
    const std::string title = dots + R"(\")" + brackets, note = brackets + "'" + dots;
    const Spec spec =
        parse_spec("# " + brackets + "\n[report]\ntitle = \"" + title + "\"\nnote = '''\n" + note + "'''\n", "s.toml");
    CHECK(spec.title == dots + '"' + brackets);
    CHECK(spec.note == note);
    CHECK(parse_spec("", "s.toml", {"report.title=" + brackets}).title == brackets);
}

TEST_CASE("a number that is not 0 and closer to it than any number is refused, wherever it stands, and 0 and the "
          "smallest are not") {
    const std::string why = "is no number that can be used (it is closer to 0 than the smallest number, 4.9e-324); "
                            "write 0, or a larger one";
    CHECK(refusal("[run]\n# d\u00e9j\u00e0\nl2 = 1e-400\n") == "s.toml:3:6: '1e-400' " + why);
    CHECK(refusal("[run]\nl2 = -1e-400\n") == "s.toml:2:6: '-1e-400' " + why);
    CHECK(refusal("[axes]\nl2 = [0.1, 1e-400]\n") == "s.toml:2:12: '1e-400' " + why);
    CHECK(refusal("[[override]]\nwhen = { scheme = '\u00e9' }\nset = { note = '\u00e9', l2 = 0.1e-399 }\n") ==
          "s.toml:3:26: '0.1e-399' " + why);
    CHECK(refusal("[run]\nl2 = 0.1\n", {"run.l2=1e-400"}) == "--set: '1e-400' " + why);
    for (const char* number : {"0.0", "-0e-400", "0.0e5", "4.9e-324", "1e-320", "1e-4"}) {
        CAPTURE(number);
        const std::string said = refusal(fmt::format("[run]\nl2 = {}\n", number));
        CHECK(said.find("can be used") == std::string::npos);
    }
}
