#include "experiments/commands/command_fetch.h"

#include "engine/called.h"
#include "engine/error.h"
#include "engine/numbers.h"
#include "experiments/fetch/address.h"
#include "experiments/fetch/fetch.h"
#include "experiments/fetch/public_data.h"
#include "experiments/fetch/transfer_line.h"
#include "experiments/files/durable.h"
#include "experiments/inputs/data_folder.h"
#include "experiments/options/command_line.h"
#include "experiments/session/interrupt.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/printable.h"
#include "experiments/text/tell.h"
#include "experiments/text/text_table.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

namespace hogwild {
namespace {

namespace fs = std::filesystem;

/// What is known of a set's files: "31.3 MB", "not known".
std::string stored_size(const PublicSet& set) {
    std::uint64_t bytes = 0;
    for (const PublicFile& file : set.files) {
        if (file.bytes == 0) return "not known";
        bytes += file.bytes;
    }
    return human_bytes(static_cast<double>(bytes));
}

std::string table_of_sets(const fs::path& folder) {
    TextTable table;
    table.add_column("set", Align::kLeft);
    table.add_column("samples x columns", Align::kLeft);
    table.add_column("stored", Align::kRight);
    table.add_column("hogwild run reads it", Align::kLeft);
    table.add_column("files", Align::kLeft);
    std::string terms;
    std::string_view last;
    for (const PublicSet& set : public_sets()) {
        std::string files;
        for (const PublicFile& file : set.files) {
            files += fmt::format("{}{}{}", files.empty() ? "" : ", ", file.name,
                                 fs::exists(folder / file.name) ? " (here)" : "");
        }
        table.add_row({std::string(set.name), std::string(set.shape), stored_size(set),
                       set.form == PublicForm::kUnread ? "no" : "yes", files});
        if (set.terms != last) terms += fmt::format("  from {}: {}\n    {}\n", set.name, set.terms, set.address);
        last = set.terms;
    }
    return fmt::format("{}\nterms, as their publishers state them, and addresses\n{}\ndata folder: {}\n", table.text(),
                       terms, folder.string());
}

std::string mirror(const std::string& from) {
    if (!from.starts_with("http://") && !from.starts_with("https://")) {
        throw Error(Failure::kUsage, "--from cannot be '" + without_login(from) + "'",
                    "it begins with neither https:// nor http://",
                    "name the folder that holds the files, like https://host/folder");
    }
    const std::string told = without_login(from);
    if (const std::size_t more = told.find_first_of("?#"); more != std::string::npos) {
        throw Error(Failure::kUsage, "--from cannot have a query or a fragment", // which may hold what is secret
                    "the names of files are put behind '" + told.substr(0, more) + "'",
                    "name the folder that holds the files, like https://host/folder");
    }
    return from.ends_with('/') ? from.substr(0, from.size() - 1) : from;
}

fs::path folder_of(const FetchOptions& options) {
    const std::string folder = options.folder.empty() ? default_data_folder() : options.folder;
    if (folder.empty()) {
        throw Error(Failure::kUsage, "there is no folder for data", "neither XDG_DATA_HOME nor HOME names one",
                    "name one with -o DIR");
    }
    return folder;
}

PublicChoice choice_of(const std::string& name) {
    if (const auto choice = find_public(name)) return *choice;
    if (const std::string kinds = public_kinds(name); !kinds.empty())
        throw Error(Failure::kUsage, "'" + name + "' names several sets", kinds, "name one of them");
    throw Error(Failure::kUsage, "unknown data set '" + name + "'", "known: " + public_names(),
                fmt::format("name one of them, or one of the files that {} data fetch lists", called()));
}

std::string said_of(const Fetched& file) {
    const char* how = file.was_there   ? "is here already, verified"
                      : file.was_known ? "fetched and verified"
                                       : "fetched; its SHA-256 was not known and is recorded from now on";
    return fmt::format("{}: {}\n  {} bytes, SHA-256 {}\n", file.path.string(), how, grouped(fs::file_size(file.path)),
                       file.sha256);
}

} // namespace

void add_fetch_options(CommandLine& app, FetchOptions& options) {
    app.about("Bring a public data set into the data folder, whole and verified; without NAME, list them.");
    app.footer(
        "Examples:\n"
        "  hogwild data fetch\n"
        "  hogwild data fetch real-sim && hogwild run --data real-sim\n"
        "  hogwild data fetch rcv1_test.binary --from https://mirror.example/libsvm\n"
        "The data folder is $XDG_DATA_HOME/hogwild, else ~/.local/share/hogwild. What was interrupted goes on where\n"
        "it ended when the command is run again. Files stay compressed: hogwild run reads them so. SHA-256 that\n"
        "are not known are recorded beside the file when it is first fetched, and compared from then on.");
    app.option("NAME", options.name, "A set, or one of its files");
    app.option("-o,--output", options.folder, "Where files go (default: the data folder)").shown_as("DIR");
    app.option("--from", options.from, "A mirror: the folder that holds the files under the same names")
        .shown_as("URL");
    app.flag("--quiet", options.quiet, "Only errors on standard error");
}

int fetch_command(const FetchOptions& options) {
    if (options.name.empty()) {
        print(printable(table_of_sets(folder_of(options))));
        return kExitDone;
    }
    const PublicChoice choice = choice_of(options.name);
    const std::string base = options.from.empty() ? std::string(choice.set->address) : mirror(options.from);
    const fs::path folder = folder_of(options);
    make_folder(folder);
    Interrupt interrupt(false);
    interrupt.arm();
    if (!options.quiet) tell("{}: {}\n", choice.set->name, choice.set->terms);
    for (const PublicFile& file : choice.files) {
        std::optional<Fetched> fetched;
        {
            TransferLine line(!options.quiet, std::string(file.name));
            fetched = fetch(file, fmt::format("{}/{}", base, file.name), folder, interrupt.requested(),
                            [&](std::uint64_t done, std::uint64_t total) { line.show(done, total); });
        }
        if (!fetched) {
            tell("\ninterrupted; run the command again to go on where it ended\n");
            return kExitInterrupted;
        }
        print(printable(said_of(*fetched)));
    }
    return kExitDone;
}

} // namespace hogwild
