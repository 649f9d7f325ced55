#include "experiments/sweep/spec/run_words.h"
#include "engine/called.h"
#include "engine/plan/names.h"
#include "experiments/options/command_line.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/network/network.h"
#include "engine/plan/axes.h"
#include "experiments/sweep/spec/spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace hogwild {
namespace {

const std::set<std::string, std::less<>> kDecided{"help",       "seed",    "output",      "json",       "quiet",
                                                  "plot",       "no-plot", "in-order",    "no-warm-up", "save",
                                                  "checkpoint", "resume",  "tensorboard", "budget"};

/// Calls `use` with each option of `hogwild run` that a sweep leaves open.
template <class Use>
void each_option(const Use& use) {
    CommandLine app;
    RunOptions options;
    add_run_options(app, options);
    for (const CommandOption& option : app.options()) {
        if (!option.name().empty() && !is_decided(option.name())) use(option);
    }
}

std::vector<std::string> names(bool (*wanted)(const CommandOption&)) {
    std::vector<std::string> names;
    each_option([&](const CommandOption& option) {
        if (wanted(option)) names.push_back(option.name());
    });
    return names;
}

bool is_axis(const CommandOption& option) { return option.group().starts_with("Axes"); }

bool is_flag(const std::string& option) {
    static const std::vector<std::string> flags = names([](const CommandOption& each) { return each.is_flag(); });
    return std::ranges::find(flags, option) != flags.end();
}

/// One parser for many command lines: making it takes longer than a parse.
class RunParser {
public:
    RunParser() {
        add_run_options(app_, options_);
        app_.option("--data").required(false);
        defaults_ = options_;
    }

    RunOptions parse(std::vector<std::string> words) {
        options_ = defaults_;
        if (const auto wrong = app_.parse(std::move(words))) {
            throw Error(Failure::kUsage, fmt::format("a setting is wrong: {}", *wrong), "`hogwild run` would refuse it",
                        fmt::format("see {} run --help", called()));
        }
        return options_;
    }

private:
    CommandLine app_{"", "hogwild run"};
    RunOptions options_, defaults_;
};

/// The samples: no axis of a plan.
constexpr std::string_view kData = "data";

const std::vector<std::string>& plan_axes() {
    static const std::vector<std::string> all = names(is_axis);
    return all;
}

template <class T>
std::vector<std::string> texts_of(const std::vector<T>& values) {
    std::vector<std::string> texts;
    for (const T& value : values) texts.push_back(fmt::format("{}", value));
    return texts;
}

} // namespace

bool is_decided(std::string_view option) { return kDecided.contains(option); }

const std::vector<std::string>& run_options() {
    static const std::vector<std::string> all = names([](const CommandOption&) { return true; });
    return all;
}

const std::vector<std::string>& run_axes() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> axes = plan_axes();
        axes.emplace_back(kData);
        return axes;
    }();
    return all;
}

bool is_plan_axis(const std::string& option) { return std::ranges::find(plan_axes(), option) != plan_axes().end(); }

bool names_data(std::string_view option) { return option == kData; }

std::vector<std::string> values_of(const std::string& option, const std::vector<std::string>& texts) {
    if (names_data(option)) {
        for (const std::string& text : texts) options_of({{option, text}});
        return texts;
    }
    const std::string list = fmt::format("{}", fmt::join(texts, ","));
    if (option == "threads") return texts_of(thread_list("threads", list, usable_cores()));
    if (option == "seed") return texts_of(seed_list("seed", list));
    const std::vector<std::string> values = name_list(option, list);
    for (const std::string& value : values) check_setting({option, value});
    return values;
}

void check_setting(const Setting& setting) {
    if (is_plan_axis(setting.option)) {
        const auto values = setting.option == "threads" ? values_of("threads", {setting.value})
                                                        : name_list(setting.option, setting.value);
        if (values.size() > 1) {
            throw Error(Failure::kUsage, fmt::format("{} cannot be '{}'", setting.option, setting.value),
                        "it is a list, and this is of every run", "put it into [axes]");
        }
    }
    options_of({setting});
    const bool old = !respelled(setting.option, setting.value).empty();
    if (!old && !known_names(setting.option).empty()) check_name(setting.option, setting.value);
}

std::vector<std::string> words_of(const std::vector<Setting>& settings) {
    std::vector<std::string> words{"hogwild", "run"};
    for (std::size_t i = 0; i < settings.size(); ++i) {
        const auto same = [&](const Setting& later) { return later.option == settings[i].option; };
        if (std::any_of(settings.begin() + static_cast<std::ptrdiff_t>(i) + 1, settings.end(), same)) continue;
        if (!is_flag(settings[i].option)) {
            words.push_back("--" + settings[i].option);
            const bool layers = settings[i].option == "network"; // a line each, in a file
            words.push_back(layers ? one_line(settings[i].value) : settings[i].value);
        } else if (settings[i].value == "true") {
            words.push_back("--" + settings[i].option);
        } else if (settings[i].value != "false") {
            throw Error(Failure::kUsage, fmt::format("{} cannot be '{}'", settings[i].option, settings[i].value),
                        "it is a yes or a no", "write true or false");
        }
    }
    return words;
}

std::vector<Setting> typed_settings(const CommandLine& app) {
    std::vector<Setting> settings;
    for (const CommandOption& option : app.options()) {
        const auto words = option.typed();
        if (words && !option.name().empty())
            settings.push_back({option.name(), fmt::format("{}", fmt::join(*words, ","))});
    }
    return settings;
}

RunOptions options_of(const std::vector<Setting>& settings) {
    thread_local RunParser parser;
    std::vector<std::string> words = words_of(settings);
    words.erase(words.begin(), words.begin() + 2);
    return parser.parse(std::move(words));
}

} // namespace hogwild
