// The public data sets that papers use: where they lie, under which terms, and what is known of their files.
//
// One table, in public_data.cpp. Rows and columns are the publisher's. Sizes and sums stand where somebody states them for just
// this address; beside each stands who. Most come from the list of tensorflow/datasets. What nobody states is recorded when it is
// first fetched (experiments/fetch/fetch.h).
// Thread-safety: constants and pure functions. Errors: none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hogwild {

struct PublicFile {
    std::string_view name;   // in the data folder; no two sets have one in common
    std::uint64_t bytes;     // as stored; 0: not known
    std::string_view sha256; // 64 hexadecimal digits; empty: not known
    std::string_view md5{};  // 32, where only that is stated; it tells damage and other versions, not forgery

    bool is_known() const { return !sha256.empty() || !md5.empty(); }
};

/// What hogwild run makes of a set.
enum class PublicForm {
    kFile,   // it reads each file by itself
    kFolder, // it reads the folder that holds them
    kUnread  // nothing: they are to be unpacked first
};

struct PublicSet {
    std::string_view name;
    std::string_view also; // what papers call it, or all of its kind; empty: nothing else
    std::string_view shape;
    std::string_view address; // a folder; files lie in it under their names
    std::string_view terms;   // as the publisher states them
    PublicForm form;
    std::span<const PublicFile> files;
};

std::span<const PublicSet> public_sets();

/// Some files of one set.
struct PublicChoice {
    const PublicSet* set;
    std::span<const PublicFile> files;
};

/// The set called `name` in whatever case, or the only one that papers call so. Else the one file called `name`, with
/// or without the ending that says how it is compressed.
std::optional<PublicChoice> find_public(std::string_view name);

/// Several sets that papers call so: "webspam-unigram, webspam-trigram". Empty: not several.
std::string public_kinds(std::string_view name);

/// "rcv1, news20.binary, ...": the names of the sets.
std::string public_names();

} // namespace hogwild
