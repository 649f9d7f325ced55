// What a sweep says before it runs.
#include "engine/machine/gpus.h"
#include "tests/experiments/sweep/sweeps.h"

using namespace hogwild;

TEST_CASE("a dry run says the plan and writes nothing") {
    const SpecFile spec;
    const Finished plan = spec.run({"--dry-run"});
    CHECK(plan.code == 0);
    CHECK_MESSAGE(plan.out.find("2 combinations, 4 trials and 4 final runs, about ") != std::string::npos, plan.out);
    CHECK(!std::filesystem::exists(spec.out()));
    const std::string sittings = spec.run({"--dry-run", "--stop-after", "1ms"}).out;
    CHECK_MESSAGE(sittings.find(" sittings of 1 ms, into ") != std::string::npos, sittings);
}

TEST_CASE("a network that all runs have is said once, others line by line") {
    const auto plan = [](const std::string& networks) {
        return SpecFile(
                   "[run]\nproblem='network'\ndata='synthetic:tiny'\nthreads=1\n[axes]\nscheme=['serial','minibatch']\n"
                   "network=[" +
                   networks + "]\n")
            .run({"--dry-run"})
            .out;
    };
    const std::string one = plan("'dense 8; dense 10'"), two = plan("'dense 8; dense 10','dense 10'");
    CHECK_MESSAGE(one.find("\nnetwork: dense 8; dense 10\n  network serial, ") != std::string::npos, one);
    CHECK_MESSAGE(one.find("dense 8") == one.rfind("dense 8"), one);
    CHECK_MESSAGE(two.find("\nnetwork: ") == std::string::npos, two);
    CHECK_MESSAGE(two.find(", dense 8; dense 10: no trials") != std::string::npos, two);
}

TEST_CASE("what is true of several targets' samples is said once") {
    const std::string plan =
        SpecFile("[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'\nno-cache=true\nthreads=1\n"
                 "[axes]\nscheme=['serial','minibatch']\n[[override]]\nwhen={scheme='minibatch'}\n"
                 "set={target='gap:1e-1'}\n")
            .run({"--dry-run"})
            .out;
    const std::string data = "data: synthetic:rows=300,";
    CHECK_MESSAGE(plan.find(data) != std::string::npos, plan);
    CHECK_MESSAGE(plan.find(data) == plan.rfind(data), plan);
}

TEST_CASE("what labels became is said, as by a run") {
    const SpecFile spec("[run]\ndata='ten.svm'\nno-cache=true\nscheme='serial'\nepochs=1\n");
    std::ofstream(spec.scratch.path / "ten.svm") << "10 1:1\n20 2:1\n10 1:0.5\n";
    const std::string plan = spec.run({"--dry-run"}).out;
    CHECK_MESSAGE(plan.find("labels: 10 and 20 are -1 and +1\n") != std::string::npos, plan);
}

TEST_CASE("tuning that is not equal for all is said to be, as is a condition that fits nothing") {
    const std::string head = "[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'\nno-cache=true\nthreads=1\n"
                             "[axes]\nscheme=['serial','minibatch']\n";
    const auto plan = [](const std::string& text) { return SpecFile(text).run({"--dry-run"}).out; };
    const std::string unequal = "tuning is not equal (combinations have from 2 to 4 candidates";
    CHECK(plan(head + "[tuning]\nstep-scale=[0.5,1]\nbatch=[2,4]\n").find(unequal) != std::string::npos);
    const std::string equal = plan(head + "[tuning]\nstep-scale=[0.5,1]\n[[exclude]]\nscheme='hogwild'\n"
                                          "[[override]]\nwhen={scheme='serial',threads=[1,7]}\nset={epochs=1}\n"
                                          "[[override]]\nwhen={threads=[2,7]}\nset={epochs=1}\n");
    CHECK(equal.find("not equal") == std::string::npos);
    CHECK(equal.find("note: an [[exclude]] fits nothing (scheme = hogwild)\n"
                     "note: an [[override]] fits nothing (threads = 2 or 7)\n") == 0);
}

TEST_CASE("a dry run says which publication's numbers none of its runs is about") {
    const std::string paper = "\n[[paper]]\nsource='a'\nhardware='b'\ndata='c'\nwhat='d'\nvalue=1\nunit='s'\nnote='e'\n"
                              "column='seconds'\nwhere={scheme=";
    const std::string plan = SpecFile(kSpec + paper + "'minibatch'}" + paper + "'local-sgd'}\n").run({"--dry-run"}).out;
    CHECK_MESSAGE(plan.find("fits no run (scheme = local-sgd)") != std::string::npos, plan);
    CHECK(plan.find("minibatch)") == std::string::npos);
}

TEST_CASE("a dry run counts what is done, and needs no GPU to plan for one") {
    const SpecFile spec;
    CHECK(spec.run().code == 0);
    const std::string journal = text_of(spec.out() / "journal");
    CHECK(spec.run({"--dry-run"}).out.find("4 trials and 4 final runs, of which 8 are done, about") !=
          std::string::npos);
    CHECK(spec.run({"--dry-run", "--rerun", "all"}).out.find("are done") == std::string::npos);
    std::filesystem::remove_all(spec.out() / first_run(spec));
    CHECK(spec.run({"--dry-run"}).out.find("of which 7 are done") != std::string::npos);
    CHECK(spec.run({"--dry-run", "--tune-only"}).out.find("4 trials and 0 final runs, of which 4") !=
          std::string::npos);
    CHECK(spec.run({"--dry-run", "--shard", "2/2"}).out.find("0 trials and 2 final runs") != std::string::npos);
    CHECK(text_of(spec.out() / "journal") == journal);
    const SpecFile gpu(
        "[run]\ndata='synthetic:rows=300,features=40,nonzeros=5'\nno-cache=true\nscheme='hogwild'\ndevice='gpu'");
    const Finished plan = gpu.run({"--dry-run"});
    CHECK_MESSAGE(plan.code == 0, plan.error);
    CHECK(plan.out.find("1 combination, 0 trials and 5 final runs") != std::string::npos);
    if (read_gpus().list.empty())
        CHECK_MESSAGE(plan.out.find("\nnote: what wants a GPU cannot run here (no GPU: ") != std::string::npos,
                      plan.out);
}
