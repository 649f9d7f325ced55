#include "experiments/inputs/data_folder.h"

#include "engine/called.h"
#include "engine/data/synthetic/synthetic.h"
#include "engine/error.h"
#include "experiments/fetch/public_data.h"
#include "experiments/text/user_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

namespace hogwild {

std::string default_data_folder() { return user_folder("XDG_DATA_HOME", ".local/share"); }

namespace {

/// For a set whose files are to be unpacked: where they come from, where they lie, and what to do with them.
[[noreturn]] void refuse_packed(const std::string& name, const PublicChoice& choice) {
    const std::string_view packed = choice.files[0].name;
    const bool zip = packed.ends_with(".zip");
    const std::string path = fmt::format("{}/{}", default_data_folder(), packed);
    const std::string unpack = fmt::format("unpack it ({} {}) and name what it holds, or name a set that is read, such "
                                           "as {}",
                                           zip ? "unzip" : "tar xf", path, zip ? "real-sim" : "mnist");
    std::error_code unseen;
    if (std::filesystem::exists(path, unseen))
        throw Error(Failure::kUsage, name + " cannot be run on", "its files are packed together", unpack);
    throw Error(Failure::kMissing, name + " is not here", "neither a file of that name nor " + path,
                fmt::format("fetch it with {} data fetch {} (from {}/{}), then {}", called(), name, choice.set->address,
                            packed, unpack));
}

} // namespace

std::string data_path(const std::string& name) {
    std::error_code unseen; // what cannot be looked at is said by who opens it
    if (is_synthetic(name) || std::filesystem::exists(name, unseen)) return name;
    const auto choice = find_public(name);
    if (const std::string kinds = public_kinds(name); !kinds.empty())
        throw Error(Failure::kUsage, "'" + name + "' names several sets", kinds, "name one of them");
    if (!choice) return name;
    if (choice->set->form == PublicForm::kUnread) refuse_packed(name, *choice);
    const bool whole = choice->files.size() > 1 && choice->set->form == PublicForm::kFolder;
    if (choice->files.size() > 1 && !whole) {
        throw Error(Failure::kUsage, name + " names several files",
                    fmt::format("{} and {}", choice->files[0].name, choice->files[1].name), "name one of them");
    }
    const std::string path = default_data_folder() + "/" + std::string(choice->files[0].name);
    if (std::filesystem::exists(path, unseen)) return whole ? default_data_folder() : path;
    throw Error(Failure::kMissing, name + " is not here", "neither a file of that name nor " + path,
                fmt::format("fetch it with {} data fetch {}, or use {}", called(), name,
                            choice->set->form == PublicForm::kFolder
                                ? "synthetic:images; images are for --problem network"
                                : "synthetic:rcv1"));
}

} // namespace hogwild
