#include "engine/workers/team.h"

#include "engine/machine/cores.h"
#include "kernels/spin_wait.h"

#include <doctest/doctest.h>

#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>

using namespace hogwild;

namespace {

std::vector<unsigned> processors_of_this_thread() {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    std::vector<unsigned> processors;
    for (unsigned i = 0; i < CPU_SETSIZE; ++i) {
        if (CPU_ISSET(i, &set)) processors.push_back(i);
    }
    return processors;
}

double processor_seconds(clockid_t whose) {
    timespec time{};
    clock_gettime(whose, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace

TEST_CASE("a run calls the body once per worker, and its writes are there when it returns") {
    for (const unsigned workers : {1U, 2U, 5U, 8U}) {
        WorkerTeam team(workers, Pin::kNone);
        CHECK(team.size() == workers);
        std::vector<int> calls(workers, 0); // plain: fork and join alone order them
        for (int repeat = 1; repeat <= 300; ++repeat) {
            team.run([&](unsigned worker) { ++calls[worker]; });
            REQUIRE(calls == std::vector<int>(workers, repeat));
        }
    }
}

TEST_CASE("who was woken runs like who was not, once per run") {
    for (const unsigned workers : {1U, 2U, 5U}) {
        WorkerTeam team(workers, Pin::kNone);
        std::vector<int> calls(workers, 0);
        for (int repeat = 1; repeat <= 300; ++repeat) {
            for (int wakes = repeat % 3; wakes > 0; --wakes) team.wake();
            team.run([&](unsigned worker) { ++calls[worker]; });
            REQUIRE(calls == std::vector<int>(workers, repeat));
        }
        team.wake(); // and leaves with the team
    }
}

TEST_CASE("a run returns when the bodies have ended, however long they work") {
    for (const unsigned workers : {1U, 2U, 5U}) {
        WorkerTeam team(workers, Pin::kNone);
        std::vector<int> done(workers, 0);
        for (int repeat = 1; repeat <= 20; ++repeat) {
            team.run([&](unsigned worker) {
                for (int i = 0; i < 5'000; ++i) cpu_relax();
                done[worker] = repeat;
            });
            REQUIRE(done == std::vector<int>(workers, repeat));
        }
    }
}

TEST_CASE("a worker keeps its thread from run to run, and no worker is the caller") {
    WorkerTeam team(3, Pin::kNone);
    std::vector<std::thread::id> first(3), second(3);
    team.run([&](unsigned worker) { first[worker] = std::this_thread::get_id(); });
    team.run([&](unsigned worker) { second[worker] = std::this_thread::get_id(); });
    CHECK(first == second);
    for (const std::thread::id id : first) CHECK(id != std::this_thread::get_id());
    CHECK(first[0] != first[1]);
    CHECK(first[1] != first[2]);
}

TEST_CASE("workers run on the processors of their place") {
    for (const Pin pin : {Pin::kCores, Pin::kNuma}) {
        WorkerTeam team(static_cast<unsigned>(affinity_processors().size()) + 1, pin);
        std::vector<std::vector<unsigned>> actual(team.size());
        team.run([&](unsigned worker) { actual[worker] = processors_of_this_thread(); });
        CHECK(actual == team.places());
        for (const auto& place : actual) CHECK(!place.empty());
    }
}

TEST_CASE("unpinned workers may run wherever their creator may") {
    WorkerTeam team(2, Pin::kNone);
    std::vector<std::vector<unsigned>> actual(team.size());
    team.run([&](unsigned worker) { actual[worker] = processors_of_this_thread(); });
    for (const auto& processors : actual) CHECK(processors == processors_of_this_thread());
}

TEST_CASE("an exception of a body reaches the caller after all bodies have ended, and the team goes on") {
    WorkerTeam team(4, Pin::kNone);
    for (int repeat = 0; repeat < 50; ++repeat) {
        std::vector<int> ended(4, 0);
        std::string text;
        try {
            team.run([&](unsigned worker) {
                ended[worker] = 1;
                if (worker == 2)
                    throw std::runtime_error("worker " + std::to_string(worker) + " met something it cannot handle");
            });
        } catch (const std::runtime_error& error) {
            text = error.what();
        }
        CHECK(text == "worker 2 met something it cannot handle");
        CHECK(ended == std::vector<int>(4, 1));
        CHECK_THROWS_AS(team.run([](unsigned) { throw std::logic_error("all of them"); }), std::logic_error);
        int calm = 0;
        team.run([&](unsigned worker) {
            if (worker == 3) calm = 1;
        });
        CHECK(calm == 1);
    }
}

TEST_CASE("a team is oversubscribed exactly when it has more workers than usable cores") {
    CHECK_FALSE(WorkerTeam(usable_cores(), Pin::kNone).oversubscribed());
    CHECK(WorkerTeam(usable_cores() + 1, Pin::kNone).oversubscribed());
}

TEST_CASE("workers without a run use no processor time") {
    WorkerTeam team(8, Pin::kNone);
    team.run([](unsigned) {});
    // This thread computes for 20 ms; in that time spinning workers would be given at least as much.
    const double all_before = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const double own_before = processor_seconds(CLOCK_THREAD_CPUTIME_ID);
    double own = 0;
    while (own < 0.020) own = processor_seconds(CLOCK_THREAD_CPUTIME_ID) - own_before;
    CHECK(processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - all_before - own < 0.010);
}
