#include "experiments/checkpoint/checkpoint_file.h"

#include "engine/error.h"
#include "engine/machine/content_hash.h"
#include "engine/machine/limits/limits.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "experiments/checkpoint/snapshot_record.h"
#include "experiments/files/checked_line.h"
#include "experiments/files/record_fields.h"
#include "experiments/text/json.h"
#include "experiments/text/stored_text.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <fstream>
#include <utility>

namespace hogwild {
namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

constexpr int kVersion = 2;

Json identity(const Plan& plan, const Dataset& train) {
    Json words = Json::object();
    for (const auto& [name, value] : fields(plan)) words[name] = value;
    return {{"checkpoint", kVersion},
            {"data", fmt::format("{:016x}", train.content_hash())},
            {"columns", coordinates(train.view(), plan)},
            {"plan", words}};
}

/// What differs, in words: "epochs was 10 and is 20".
std::string difference(const Json& was, const Json& is) {
    if (const Json version = was.value("checkpoint", Json()); version != kVersion)
        return fmt::format("it has version {}, and this program reads {}", json_text(version), kVersion);
    const Json& before = object_field(was, "plan");
    for (const auto& [name, value] : is.at("plan").items()) {
        const std::string text = before.contains(name) ? text_field(before, name.c_str()) : "unknown";
        if (text != value.get<std::string>())
            return fmt::format("{} was {} and is {}", name, text, value.get<std::string>());
    }
    if (const std::uint64_t columns = whole_field(was, "columns"); columns != is.at("columns"))
        return fmt::format("its snapshots hold {} weights, and the model has {}", columns, json_text(is.at("columns")));
    return "its samples were others";
}

std::string hash_of(std::string_view bytes) { return fmt::format("{:016x}", content_hash(bytes)); }

std::string_view bytes_of(const float* values, std::size_t count) {
    return {reinterpret_cast<const char*>(values), count * sizeof(float)};
}

/// The next snapshot; false where none is whole. Throws OddRecord.
bool read_snapshot(std::istream& file, Checkpoint& checkpoint, SnapshotRecords& records) {
    std::string line;
    if (!std::getline(file, line)) return false;
    const auto json = checked_record(line + '\n');
    if (!json) return false;
    SnapshotRecord record = snapshot_record(*json);
    const std::uint32_t columns = checkpoint.columns;
    std::vector<float> values(columns);
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(columns * sizeof(float)));
    if (!file || file.get() != '\n' || hash_of(bytes_of(values.data(), columns)) != record.values_hash) return false;
    records.check_next(record);
    record.snapshot.values = checkpoint.values.emplace_back(std::move(values)).data();
    checkpoint.snapshots.push_back(record.snapshot);
    checkpoint.parts.push_back(std::move(record.part));
    checkpoint.losses = std::move(record.losses);
    return true;
}

/// Whether there is more behind `from`, where something is broken, than a crash leaves of one record.
bool others_follow(std::istream& file, std::streamoff from, std::uint32_t columns) {
    file.clear();
    file.seekg(0, std::ios::end);
    const std::streamoff size = file.tellg();
    file.seekg(from);
    std::string line;
    std::getline(file, line);
    if (!file.eof() && checked_record(line + '\n')) { // its values are what is broken
        const std::streamoff values = static_cast<std::streamoff>(columns * sizeof(float)) + 1;
        return size > from + static_cast<std::streamoff>(line.size()) + 1 + values;
    }
    while (std::getline(file, line)) {
        if (!file.eof() && checked_record(line + '\n')) return true;
    }
    return false;
}

[[noreturn]] void refuse_damaged(const std::filesystem::path& path, std::size_t snapshots) {
    throw Error(Failure::kDisk, fmt::format("{} is damaged after {} snapshots", path.string(), snapshots),
                "a hash does not fit, and others follow", "restore it from a copy, or remove it to begin anew");
}

[[noreturn]] void refuse_odd(const std::filesystem::path& path, const std::string& record, const std::string& why) {
    throw Error(Failure::kDisk, fmt::format("{}: its {} cannot be of this run", path.string(), record), why,
                "restore it from a copy, or remove it to begin anew");
}

/// The snapshots behind the first line, up to a torn one; `whole`: where they end.
Checkpoint read_snapshots(std::istream& file, const std::filesystem::path& path, const Plan& plan, const Dataset& train,
                          std::istream::pos_type& whole) {
    Checkpoint checkpoint;
    checkpoint.columns = coordinates(train.view(), plan);
    SnapshotRecords records(plan, train.view().rows());
    whole = file.tellg();
    try {
        while (read_snapshot(file, checkpoint, records)) whole = file.tellg();
    } catch (const OddRecord& odd) {
        refuse_odd(path, fmt::format("snapshot {}", checkpoint.snapshots.size() + 1), odd.what());
    }
    return checkpoint;
}

/// Errors: usage where the first line is another run's.
void check_identity(const std::filesystem::path& path, const Json& was, const Json& is) {
    if (was == is) return;
    std::string what;
    try {
        if (!was.is_object()) throw OddRecord("it is not an object");
        what = difference(was, is);
    } catch (const OddRecord& odd) {
        refuse_odd(path, "first line", odd.what());
    }
    throw Error(Failure::kUsage, path.string() + " cannot be gone on with", "it is of another run: " + what,
                "give the same command, or another folder with -o DIR");
}

AppendFile started(const std::filesystem::path& path) {
    std::error_code error; // what cannot be removed cannot be made anew, and that says why
    std::filesystem::remove(path, error);
    return AppendFile(path);
}

} // namespace

CheckpointFile::CheckpointFile(const std::filesystem::path& path, const Plan& plan, const Dataset& train, Json part)
    : file_(started(path)), part_(std::move(part)), columns_(coordinates(train.view(), plan)) {
    file_.append(checked_line(identity(plan, train)));
}

CheckpointFile::CheckpointFile(const std::filesystem::path& path, Json part, std::uint32_t columns)
    : file_(path, AppendFile::Start::kAnywhere), part_(std::move(part)), columns_(columns) {}

void CheckpointFile::append(const Snapshot& snapshot, std::span<const double> losses) {
    const std::string_view values = bytes_of(snapshot.values, columns_);
    std::string record = checked_line(json_of(snapshot, part_, losses, hash_of(values)));
    record.append(values).push_back('\n');
    file_.append(record);
}

std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& path, const Plan& plan, const Dataset& train) {
    std::error_code missing;
    if (!std::filesystem::exists(path, missing)) return {};
    need_regular_file(path, Failure::kDisk, "see who owns it");
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        const int error = errno;
        throw Error(Failure::kDisk, "cannot read " + path.string(), reason_of(error),
                    remedy_of(error, "see who owns it"));
    }
    std::string line;
    std::getline(file, line);
    const auto was = file.eof() ? std::nullopt : checked_record(line + '\n');
    if (!was && others_follow(file, 0, 0)) refuse_damaged(path, 0);
    if (!was) return {}; // torn before anything was in it
    check_identity(path, *was, identity(plan, train));
    std::istream::pos_type whole;
    Checkpoint checkpoint = read_snapshots(file, path, plan, train, whole);
    if (others_follow(file, whole, checkpoint.columns)) refuse_damaged(path, checkpoint.snapshots.size());
    file.close();
    if (checkpoint.snapshots.empty()) return {};
    std::error_code error;
    std::filesystem::resize_file(path, static_cast<std::uint64_t>(whole), error);
    if (error) throw Error(Failure::kDisk, "cannot write " + path.string(), error.message(), "see who owns it");
    return checkpoint;
}

} // namespace hogwild
