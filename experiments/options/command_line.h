// A command line: commands, options, what was typed. CLI11 behind one header, since compiling it takes longer than what its users say.
//
// Errors have the grammar of all others, with the nearest known word. There is one for an empty value, a value that
// does not read as its type, an unknown word, an option without its value. Not thread-safe. Source:
// https://github.com/CLIUtils/CLI11.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace hogwild {

/// One option, or one argument without a name. Valid as long as its command line.
class CommandOption {
public:
    explicit CommandOption(CLI::Option* option) : option_(option) {}

    /// What stands for its value in the help: "FILE".
    CommandOption& shown_as(const std::string& value);
    /// The heading of the help that it stands under.
    CommandOption& in(const std::string& group);
    CommandOption& about(const std::string& text);
    CommandOption& required(bool is = true);
    CommandOption& excludes(const CommandOption& other);
    CommandOption& shows_default();

    /// It takes several values, of one word or of several, between which this stands.
    CommandOption& split_at(char separator);
    /// It takes so many words.
    CommandOption& words(int least, int most);
    /// It may be given more than once, with one word each time.
    CommandOption& repeatable();

    CommandOption& one_of(const std::vector<std::string>& known);
    CommandOption& between(std::uint64_t least, std::uint64_t most);

    /// Without dashes; empty if it has no long name.
    std::string name() const;
    std::string group() const;
    bool is_flag() const;
    /// The words that were typed of it, nothing if it was not typed.
    std::optional<std::vector<std::string>> typed() const;

private:
    CLI::Option* option_;
};

/// A program, or one of its commands. What options set outlives the parse.
class CommandLine {
public:
    explicit CommandLine(const std::string& about = "", const std::string& name = "");
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    void about(const std::string& text);
    void footer(const std::string& text);
    /// --version answers so.
    void version(const std::string& text);
    /// Where the help's sentences begin.
    void help_column(std::size_t column);
    /// Words that nobody knows are no mistake: `unknown` has them.
    void takes_unknown_words();

    /// Adds a command; one of them must be typed where `needs_command` was called.
    CommandLine& command(const std::string& name, const std::string& about);
    void needs_command();

    /// An option whose value is read into `value`: a text, texts, a number that is whole or not, each optional or not.
    template <class Value>
    CommandOption option(const std::string& name, Value& value, const std::string& about);
    /// An option whose value is handed to `set`.
    CommandOption on_option(const std::string& name, std::function<void(const std::string&)> set,
                            const std::string& about);
    /// An option of several words.
    CommandOption on_option(const std::string& name, std::function<void(const std::vector<std::string>&)> set,
                            const std::string& about);
    CommandOption flag(const std::string& name, bool& value, const std::string& about);
    CommandOption on_flag(const std::string& name, std::function<void()> set, const std::string& about);

    /// "--data". Precondition: it was added.
    CommandOption option(const std::string& name);
    void remove(const std::string& name);
    std::vector<CommandOption> options() const;

    /// Reads what was typed. Returns the answer to --help or --version, else nothing. Throws Error (Failure::kUsage).
    std::optional<std::string> parse(int argc, const char* const* argv);
    /// Reads words without a program's name. Returns what is wrong with them, else nothing.
    std::optional<std::string> parse(std::vector<std::string> words);

    /// After a parse: whether this command was typed, and the words that nobody knew.
    bool typed() const;
    std::vector<std::string> unknown() const;

private:
    explicit CommandLine(CLI::App& app);

    std::unique_ptr<CLI::App> own_; // of a program; a command is its program's
    CLI::App& app_;
    std::vector<std::unique_ptr<CommandLine>> commands_;
};

} // namespace hogwild
