#include "experiments/session/trial.h"

#include "engine/data/borrowed_arrays.h"
#include "engine/error.h"
#include "engine/machine/limits/limits.h"
#include "engine/numbers.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "experiments/folder/outcome_json.h"
#include "experiments/session/failure.h"
#include "experiments/session/interrupt.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/json.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <iterator>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hogwild {
namespace {

constexpr int kLook = 50; // milliseconds between looks for an interrupt

[[noreturn]] void refuse(const std::string& what) {
    const int error = errno;
    throw Error("a run's own process cannot be started", what + ": " + reason_of_start(error), remedy_of_start(error));
}

std::atomic<std::uint64_t>* map_counter(int file) {
    void* const memory = mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) refuse("mmap");
    return static_cast<std::atomic<std::uint64_t>*>(memory);
}

/// A child with pipes to its standard input and output.
class Child {
public:
    explicit Child(const char* program) {
        int in[2], out[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0) refuse("socketpair");
        if (pipe2(out, O_CLOEXEC) != 0) {
            close(in[0]);
            close(in[1]);
            refuse("pipe");
        }
        const pid_t parent = getpid();
        process_ = fork();
        if (process_ == 0) become_trial(program, in[0], out[1], parent);
        close(in[0]);
        close(out[1]);
        to_ = in[1];
        from_ = out[0];
        if (process_ < 0) {
            close(to_);
            close(from_);
            refuse("fork");
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (to_ >= 0) close(to_);
        close(from_);
    }

    void send(const std::string& text) {
        for (std::size_t sent = 0; sent < text.size();) {
            const ssize_t size = ::send(to_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
            if (size < 0 && errno != EINTR) break; // it has ended: its status says why
            if (size > 0) sent += static_cast<std::size_t>(size);
        }
        close(to_);
        to_ = -1;
    }

    /// All that it prints; hands an interrupt on, once.
    std::string receive(const std::atomic<bool>& interrupt, const Patience& patience) {
        std::string text;
        double told = Patience::kEndless;
        const auto begun = std::chrono::steady_clock::now();
        for (;;) {
            pollfd wait{from_, POLLIN, 0};
            const int ready = poll(&wait, 1, kLook);
            const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
            if (seconds < told) {
                late_ = seconds > patience.limit;
                if (interrupt.load(std::memory_order_relaxed) || late_) {
                    kill(process_, SIGINT);
                    told = seconds;
                }
            }
            if (seconds - told > patience.grace) kill(process_, SIGKILL);
            if (ready <= 0) continue;
            char part[1 << 16];
            const ssize_t size = read(from_, part, sizeof part);
            if (size > 0) text.append(part, static_cast<std::size_t>(size));
            if (size == 0 || (size < 0 && errno != EINTR)) return text;
        }
    }

    bool was_late() const { return late_; }

    int end() const {
        int status = 0;
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {}
        return status;
    }

private:
    /// Between fork and exec: nothing that needs a lock.
    [[noreturn]] static void become_trial(const char* program, int in, int out, pid_t parent) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpgid(0, 0);                              // a terminal's interrupt reaches it through its parent alone
        if (getppid() != parent) _exit(kExitError); // it died before the line above
        dup2(in, STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        execl(program, "hogwild", kTrialCommand.data(), static_cast<char*>(nullptr));
        _exit(kExitError);
    }

    pid_t process_ = -1;
    bool late_ = false;
    int to_ = -1;
    int from_ = -1;
};

std::string ending(int status) {
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return fmt::format("its process was ended by signal {} ({}){}", signal, strsignal(signal),
                           signal == SIGKILL ? "; the system does that when memory runs out" : "");
    }
    return fmt::format("its process ended with exit code {} and no result", WEXITSTATUS(status));
}

Json fields_json(const Plan& plan) {
    Json json = Json::object();
    for (const auto& [name, text] : fields(plan)) json[name] = text;
    return json;
}

Plan plan_from(const Json& json) {
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& [name, text] : json.items()) texts.emplace_back(name, text.get<std::string>());
    return plan_of(texts);
}

std::optional<Dataset> mapped(const Json& handle) {
    return handle.is_null() ? std::nullopt : std::optional(mapped_samples(handle));
}

/// Where CPU threads step, the samples that they step on lie as in a run without a process of its own.
void settle(Dataset& train, std::optional<Dataset>& shuffled, const Plan& plan) {
    if (cpu_workers(plan) == 0) return;
    Dataset& stepped_on = shuffled ? *shuffled : train;
    stepped_on = copied(stepped_on);
}

Outcome attempt(const Json& request, const Interrupt& interrupt) {
    const Plan plan = plan_from(request.at("plan"));
    Dataset train = mapped_samples(request.at("train"));
    const std::optional<Dataset> test = mapped(request.at("test"));
    std::optional<Dataset> shuffled = wants_shuffled(plan, train) ? mapped(request.at("shuffled")) : std::nullopt;
    settle(train, shuffled, plan);
    const Json& optimum = request.at("optimum");
    return run(plan, {.train = train,
                      .test = test ? &*test : nullptr,
                      .shuffled = shuffled ? &*shuffled : nullptr,
                      .optimum = optimum.is_null() ? kNone : optimum.get<double>(),
                      .interrupt = &interrupt.requested(),
                      .progress = map_counter(request.at("progress").get<int>())});
}

} // namespace

Trials::Trials(const Placements& placements, std::string program)
    : placements_(placements), program_(std::move(program)), progress_file_(memfd_create("hogwild-progress", 0)) {
    if (progress_file_ < 0 || ftruncate(progress_file_, sizeof(std::uint64_t)) != 0) refuse("memfd_create");
    progress_ = map_counter(progress_file_);
}

Trials::~Trials() {
    munmap(progress_, sizeof(std::uint64_t));
    close(progress_file_);
}

const Trials::Shared& Trials::shared(const Plan& plan) {
    const Placements::Key key = Placements::key(plan);
    if (const auto known = shared_.find(key); known != shared_.end()) return known->second;
    const PlacedSamples& samples = placements_.of(plan);
    Shared shared;
    shared.train = std::make_unique<SharedSamples>(samples.train);
    if (samples.test) shared.test = std::make_unique<SharedSamples>(*samples.test);
    if (samples.shuffled) shared.shuffled = std::make_unique<SharedSamples>(*samples.shuffled);
    return shared_.emplace(key, std::move(shared)).first->second;
}

Outcome Trials::run(const Plan& plan, double optimum, const std::atomic<bool>& interrupt, const Patience& patience) {
    const Shared& samples = shared(plan);
    const auto handle = [](const std::unique_ptr<SharedSamples>& shared) { return shared ? shared->handle() : Json(); };
    const Json request{{"plan", fields_json(plan)},           {"optimum", std::isnan(optimum) ? Json() : Json(optimum)},
                       {"progress", progress_file_},          {"weights", weights_.handle()},
                       {"train", handle(samples.train)},      {"test", handle(samples.test)},
                       {"shuffled", handle(samples.shuffled)}};
    progress_->store(0, std::memory_order_relaxed);
    Child child(program_.c_str());
    child.send(json_text(request));
    const std::string answer = child.receive(interrupt, patience);
    const int status = child.end();
    const std::string late = fmt::format("it took longer than {}", human_seconds(patience.limit));
    if (interrupt.load(std::memory_order_relaxed) && WIFSIGNALED(status)) {
        Outcome stopped; // before it could listen, or with all other processes
        stopped.status = kInterruptedStatus.name;
        stopped.reason = "stopped by a signal";
        return stopped;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != kExitDone)
        return failure(child.was_late() ? late : ending(status));
    try {
        Outcome outcome = outcome_of(json_of(answer));
        if (child.was_late() && status_traits(outcome.status).interrupted) {
            outcome.status = kFailedStatus.name;
            outcome.reason = late;
        }
        outcome.weights = weights_.take();
        return outcome;
    } catch (const Json::exception& error) {
        return failure(fmt::format("its process answered what is no outcome ({})", error.what()));
    }
}

int trial_command() {
    Interrupt interrupt(false);
    interrupt.arm();
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const Outcome outcome = outcome_of_run([&] {
        const Json request = json_of(text);
        Outcome made = attempt(request, interrupt);
        SharedWeights::write(request.at("weights").get<int>(), made.weights);
        return made;
    });
    fmt::print("{}\n", json_text(outcome_json(outcome)));
    std::fflush(stdout);
    return kExitDone;
}

} // namespace hogwild
