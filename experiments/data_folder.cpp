#include "experiments/data_folder.h"

#include "engine/data/synthetic.h"
#include "engine/error.h"
#include "experiments/public_data.h"
#include "experiments/user_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

namespace hogwild {

std::string default_data_folder() { return user_folder("XDG_DATA_HOME", ".local/share"); }

std::string data_path(const std::string& name) {
    std::error_code unseen; // what cannot be looked at is said by who opens it
    if (is_synthetic(name) || std::filesystem::exists(name, unseen)) return name;
    const auto choice = find_public(name);
    if (const std::string kinds = public_kinds(name); !kinds.empty())
        throw Error(Failure::kUsage, "'" + name + "' names several sets", kinds, "name one of them");
    if (!choice) return name;
    if (choice->set->form == PublicForm::kUnread) {
        const std::string_view packed = choice->files[0].name;
        throw Error(
            Failure::kUsage, name + " cannot be run on", "its files are packed together",
            fmt::format("unpack them ({} {}/{}) and name what they hold, or name a set that is read, such as {}",
                        packed.ends_with(".zip") ? "unzip" : "tar xf", default_data_folder(), packed,
                        packed.ends_with(".zip") ? "real-sim" : "mnist"));
    }
    const bool whole = choice->files.size() > 1 && choice->set->form == PublicForm::kFolder;
    if (choice->files.size() > 1 && !whole) {
        throw Error(Failure::kUsage, name + " names several files",
                    fmt::format("{} and {}", choice->files[0].name, choice->files[1].name), "name one of them");
    }
    const std::string path = default_data_folder() + "/" + std::string(choice->files[0].name);
    if (std::filesystem::exists(path, unseen)) return whole ? default_data_folder() : path;
    throw Error(Failure::kMissing, name + " is not here", "neither a file of that name nor " + path,
                fmt::format("fetch it with hogwild data fetch {}, or use {}", name,
                            choice->set->form == PublicForm::kFolder ? "synthetic:images" : "synthetic:rcv1"));
}

} // namespace hogwild
