#include "experiments/options/command_line.h"

#include "engine/called.h"
#include "engine/error.h"
#include "engine/nearest.h"
#include "experiments/options/number_fault.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <type_traits>
#include <utility>

namespace hogwild {
namespace {

/// What `app` takes: its commands and its options.
std::vector<std::string> words_of(const CLI::App& app) {
    std::vector<std::string> words;
    for (const CLI::App* command : app.get_subcommands({})) words.push_back(command->get_name());
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
    return words;
}

/// The last command that was typed, and the words that lead to it.
std::pair<const CLI::App*, std::string> asked(const CLI::App& app) {
    const CLI::App* last = &app;
    std::string words = app.get_name();
    while (!last->get_subcommands().empty()) {
        last = last->get_subcommands().front();
        words += " " + last->get_name();
    }
    return {last, words};
}

/// What was typed more often than it may be, by the words that were typed; empty: nothing.
std::string too_often(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        const auto most = static_cast<std::size_t>(option->get_items_expected_max());
        if (most == 0 || option->count() <= most) continue;
        return fmt::format("{} takes {}, and was given {}", option->get_name(),
                           most == 1 ? "one value" : fmt::format("{} values", most),
                           fmt::join(option->results(), " and "));
    }
    return "";
}

/// The flag that does not convert, by what was typed behind it; empty: none.
std::string flag_with_value(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_items_expected_max() > 0) continue;
        for (const std::string& word : option->results()) {
            if (word != "true") return fmt::format("{} takes no value, and was given {}", option->get_name(), word);
        }
    }
    return "";
}

/// CLI11's "--epochs: 1 required N missing" as people say it; empty for other sentences.
std::string without_value(const std::string& why) {
    constexpr std::string_view kNeeds = ": 1 required ", kMissing = " missing";
    const std::size_t at = why.find(kNeeds);
    if (at == std::string::npos || !why.ends_with(kMissing)) return "";
    const std::size_t begin = at + kNeeds.size();
    return fmt::format("{} needs a value, {}, and none was given", why.substr(0, at),
                       why.substr(begin, why.size() - kMissing.size() - begin));
}

/// "--data": the option that the command needs, was not given, and may be meant by a word without one; empty: there is none.
std::string missing_option(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_required() && option->count() == 0 && !option->get_lnames().empty())
            return "--" + option->get_lnames().front();
    }
    return "";
}

/// A flag that does not exist, a value that is missing: CLI11's sentence, in the grammar of all errors.
Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
    const auto [command, words] = asked(app);
    std::string why = error.what(), meant;
    // What nobody knows is more likely a slip than what it left unsaid.
    if (const auto unknown = app.remaining(true); !unknown.empty() && !app.get_allow_extras()) {
        why = fmt::format("not expected: {}", fmt::join(unknown, " "));
        for (const std::string& word : unknown) {
            const std::string known = nearest(word.substr(0, word.find('=')), words_of(*command));
            if (!known.empty()) meant += fmt::format("{} {}", meant.empty() ? "did you mean" : " and", known);
        }
        const std::string missing = missing_option(*command);
        if (meant.empty() && !missing.empty() && unknown.size() == 1 && !unknown[0].starts_with('-')) {
            meant = fmt::format("did you mean {} {}", missing, unknown[0]);
        }
        if (!meant.empty()) meant += "? ";
    }
    if (const std::string often = too_often(*command); !often.empty() && meant.empty()) why = often;
    if (const std::string without = without_value(why); !without.empty()) why = without;
    const bool unread = dynamic_cast<const CLI::ConversionError*>(&error) != nullptr;
    if (const std::string flag = unread ? flag_with_value(*command) : ""; !flag.empty()) why = flag;
    std::ranges::replace(why, '\n', ' ');
    while (!why.empty() && (why.back() == ' ' || why.back() == '.')) why.pop_back();
    return Error(Failure::kUsage, "the command line is wrong", why, fmt::format("{}see {} --help", meant, words));
}

/// A value without a character is a variable of a shell that was not set: what was asked for with it would not be done.
void check_no_empty_value(const CLI::App& app) {
    const auto [command, words] = asked(app);
    for (const CLI::Option* option : command->get_options()) {
        if (option->get_items_expected_max() == 0 || option->count() == 0) continue;
        if (std::ranges::find(option->results(), "") == option->results().end()) continue;
        throw Error(Failure::kUsage, fmt::format("{} has an empty value", option->get_name()),
                    "the word behind it holds no character",
                    fmt::format("name one, or leave it out; see {} --help", words));
    }
}

} // namespace

CommandOption& CommandOption::shown_as(const std::string& value) { return option_->type_name(value), *this; }
CommandOption& CommandOption::in(const std::string& group) { return option_->group(group), *this; }
CommandOption& CommandOption::about(const std::string& text) { return option_->description(text), *this; }
CommandOption& CommandOption::required(bool is) { return option_->required(is), *this; }
CommandOption& CommandOption::excludes(const CommandOption& other) { return option_->excludes(other.option_), *this; }
CommandOption& CommandOption::shows_default() { return option_->capture_default_str(), *this; }
CommandOption& CommandOption::split_at(char separator) { return option_->delimiter(separator), *this; }
CommandOption& CommandOption::words(int least, int most) { return option_->expected(least, most), *this; }
CommandOption& CommandOption::repeatable() { return option_->expected(1)->take_all(), *this; }
CommandOption& CommandOption::one_of(const std::vector<std::string>& known) {
    return option_->check(CLI::IsMember(known)), *this;
}
CommandOption& CommandOption::between(std::uint64_t least, std::uint64_t most) {
    const auto fault = [=](const std::string& text) { return whole_number_fault(text, least, most); };
    return option_->check(CLI::Validator(fault, fmt::format("UINT in [{} - {}]", least, most))), *this;
}

std::string CommandOption::name() const {
    return option_->get_lnames().empty() ? std::string() : option_->get_lnames().front();
}
std::string CommandOption::group() const { return option_->get_group(); }
bool CommandOption::is_flag() const { return option_->get_items_expected_max() == 0; }
std::optional<std::vector<std::string>> CommandOption::typed() const {
    if (option_->count() == 0) return std::nullopt;
    return option_->results();
}

CommandLine::CommandLine(const std::string& about, const std::string& name)
    : own_(std::make_unique<CLI::App>(about, name)), app_(*own_) {}
CommandLine::CommandLine(CLI::App& app) : app_(app) {}
CommandLine::~CommandLine() = default;

void CommandLine::about(const std::string& text) { app_.description(text); }
void CommandLine::footer(const std::string& text) { app_.footer(as_called(text)); }
void CommandLine::version(const std::string& text) { app_.set_version_flag("--version", text); }
void CommandLine::help_column(std::size_t column) { app_.get_formatter()->column_width(column); }
void CommandLine::takes_unknown_words() { app_.allow_extras(); }

CommandLine& CommandLine::command(const std::string& name, const std::string& about) {
    return *commands_.emplace_back(new CommandLine(*app_.add_subcommand(name, about)));
}
void CommandLine::needs_command() { app_.require_subcommand(1); }

/// CLI11 reads more as a number than people mean by one: -1 as a large whole one, 0x10, blanks before it.
template <class Value>
CommandOption CommandLine::option(const std::string& name, Value& value, const std::string& about) {
    CLI::Option* const option = app_.add_option(name, value, about);
    if constexpr (std::is_same_v<Value, std::uint64_t> || std::is_same_v<Value, std::optional<std::uint64_t>>) {
        constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
        option->check(CLI::Validator([](const std::string& text) { return whole_number_fault(text, 0, kMost); }, ""));
    } else if constexpr (std::is_same_v<Value, std::optional<double>>) {
        option->check(CLI::Validator([](const std::string& text) { return real_number_fault(text); }, ""));
    }
    return CommandOption(option);
}
template CommandOption CommandLine::option(const std::string&, std::string&, const std::string&);
template CommandOption CommandLine::option(const std::string&, std::optional<std::string>&, const std::string&);
template CommandOption CommandLine::option(const std::string&, std::vector<std::string>&, const std::string&);
template CommandOption CommandLine::option(const std::string&, std::filesystem::path&, const std::string&);
template CommandOption CommandLine::option(const std::string&, std::uint64_t&, const std::string&);
template CommandOption CommandLine::option(const std::string&, std::optional<std::uint64_t>&, const std::string&);
template CommandOption CommandLine::option(const std::string&, std::optional<double>&, const std::string&);

CommandOption CommandLine::on_option(const std::string& name, std::function<void(const std::string&)> set,
                                     const std::string& about) {
    return CommandOption(app_.add_option_function<std::string>(name, std::move(set), about));
}
CommandOption CommandLine::on_option(const std::string& name, std::function<void(const std::vector<std::string>&)> set,
                                     const std::string& about) {
    return CommandOption(app_.add_option_function<std::vector<std::string>>(name, std::move(set), about));
}
CommandOption CommandLine::flag(const std::string& name, bool& value, const std::string& about) {
    return CommandOption(app_.add_flag(name, value, about));
}
CommandOption CommandLine::on_flag(const std::string& name, std::function<void()> set, const std::string& about) {
    return CommandOption(app_.add_flag_callback(name, std::move(set), about));
}

CommandOption CommandLine::option(const std::string& name) { return CommandOption(app_.get_option(name)); }
void CommandLine::remove(const std::string& name) { app_.remove_option(app_.get_option(name)); }
std::vector<CommandOption> CommandLine::options() const {
    std::vector<CommandOption> all;
    for (CLI::Option* option : app_.get_options()) all.emplace_back(option);
    return all;
}

std::optional<std::string> CommandLine::parse(int argc, const char* const* argv) {
    try {
        app_.parse(argc, argv);
        check_no_empty_value(app_);
        return std::nullopt;
    } catch (const CLI::CallForVersion& version) {
        return std::string(version.what()) + '\n';
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) throw usage_error(app_, error);
        return app_.help(); // of the command that was asked about
    }
}

std::optional<std::string> CommandLine::parse(std::vector<std::string> words) {
    std::ranges::reverse(words); // as CLI11 wants them
    try {
        app_.parse(std::move(words));
        check_no_empty_value(app_);
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        return error.what();
    }
}

bool CommandLine::typed() const { return app_.parsed(); }
std::vector<std::string> CommandLine::unknown() const { return app_.remaining(); }

} // namespace hogwild
