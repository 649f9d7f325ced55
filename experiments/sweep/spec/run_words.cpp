#include "experiments/sweep/spec/run_words.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/network/network.h"
#include "engine/plan/axes.h"
#include "experiments/sweep/spec/spec.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace hogwild {
namespace {

/// What a sweep decides itself: which runs there are, their order, where their results go.
const std::set<std::string, std::less<>> kDecided{"help",       "seed",    "output",      "json",       "quiet",
                                                  "plot",       "no-plot", "in-order",    "no-warm-up", "save",
                                                  "checkpoint", "resume",  "tensorboard", "budget"};

/// Calls `use` with each option of `hogwild run` that a sweep leaves open.
template <class Use>
void each_option(const Use& use) {
    CLI::App app;
    RunOptions options;
    add_run_options(app, options);
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_lnames().empty() && !kDecided.contains(option->get_lnames()[0])) use(*option);
    }
}

std::vector<std::string> names(bool (*wanted)(const CLI::Option&)) {
    std::vector<std::string> names;
    each_option([&](const CLI::Option& option) {
        if (wanted(option)) names.push_back(option.get_lnames()[0]);
    });
    return names;
}

bool is_axis(const CLI::Option& option) { return option.get_group().starts_with("Axes"); }

bool is_flag(const std::string& option) {
    static const std::vector<std::string> flags =
        names([](const CLI::Option& each) { return each.get_items_expected_max() == 0; });
    return std::ranges::find(flags, option) != flags.end();
}

/// One parser for many command lines: making it takes longer than a parse.
class RunParser {
public:
    RunParser() {
        add_run_options(app_, options_);
        app_.get_option("--data")->required(false);
        defaults_ = options_;
    }

    RunOptions parse(std::vector<std::string> words) {
        options_ = defaults_;
        std::ranges::reverse(words); // as CLI11 wants them
        try {
            app_.parse(std::move(words));
        } catch (const CLI::ParseError& error) {
            throw Error(Failure::kUsage, fmt::format("a setting is wrong: {}", error.what()),
                        "`hogwild run` would refuse it", "see hogwild run --help");
        }
        return options_;
    }

private:
    CLI::App app_;
    RunOptions options_, defaults_;
};

template <class T>
std::vector<std::string> texts_of(const std::vector<T>& values) {
    std::vector<std::string> texts;
    for (const T& value : values) texts.push_back(fmt::format("{}", value));
    return texts;
}

} // namespace

const std::vector<std::string>& run_options() {
    static const std::vector<std::string> all = names([](const CLI::Option&) { return true; });
    return all;
}

const std::vector<std::string>& run_axes() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> axes = names(is_axis);
        axes.emplace_back("data");
        return axes;
    }();
    return all;
}

std::vector<std::string> values_of(const std::string& option, const std::vector<std::string>& texts) {
    if (option == "data") return texts;
    const std::string list = fmt::format("{}", fmt::join(texts, ","));
    if (option == "threads") return texts_of(thread_list("threads", list, usable_cores()));
    if (option == "seed") return texts_of(seed_list("seed", list));
    const std::vector<std::string> values = name_list(option, list);
    for (const std::string& value : values) check_setting({option, value});
    return values;
}

void check_setting(const Setting& setting) {
    const auto& axes = run_axes();
    if (setting.option != "data" && std::ranges::find(axes, setting.option) != axes.end()) {
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

std::vector<Setting> typed_settings(const CLI::App& app) {
    std::vector<Setting> settings;
    for (const CLI::Option* option : app.get_options()) {
        if (option->count() == 0 || option->get_lnames().empty()) continue;
        settings.push_back({option->get_lnames()[0], fmt::format("{}", fmt::join(option->results(), ","))});
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
