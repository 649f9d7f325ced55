// hogwild data: describe, check, convert.
#include "engine/called.h"
#include "engine/plan/names.h"
#include "experiments/commands/commands.h"

#include "engine/data/borrowed_arrays.h"
#include "engine/data/files/named_file.h"
#include "engine/data/kinds_of_data.h"
#include "engine/data/load.h"
#include "engine/data/sparse/labels.h"
#include "engine/data/sparse/write_libsvm.h"
#include "engine/data/statistics.h"
#include "engine/error.h"
#include "engine/numbers.h"
#include "experiments/files/durable.h"
#include "experiments/files/output_not_input.h"
#include "experiments/inputs/announce.h"
#include "experiments/inputs/data_folder.h"
#include "experiments/inputs/describe_images.h"
#include "experiments/inputs/input_files.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/json.h"
#include "experiments/text/printable.h"
#include "experiments/text/tell.h"
#include "experiments/text/titled_lines.h"
#include "kernels/kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace hogwild {
namespace {

std::string share(double value) { return fmt::format("{:.3g} %", 100 * value); }

/// "1.23 s, 301 MB/s of text", or how fast it was mapped.
std::string loading(const LoadReport& report) {
    const double seconds = report.parse_seconds;
    if (report.from_cache) return fmt::format("mapped from the cache in {}", human_seconds(seconds));
    if (report.text_bytes == 0) return fmt::format("generated in {}", human_seconds(seconds));
    return fmt::format("parsed in {}, {:.0f} MB/s of text", human_seconds(seconds),
                       static_cast<double>(report.text_bytes) / seconds * 1e-6);
}

std::string spread(const Quantiles& of) {
    const auto four = [](double value) { return human(value, 4); };
    return fmt::format("mean {}, min {}, 10 % {}, median {}, 90 % {}, 99 % {}, max {}", four(of.mean), four(of.min),
                       four(of.p10), four(of.median), four(of.p90), four(of.p99), four(of.max));
}

std::string rho(const CollisionShare& of) {
    if (of.exact) return fmt::format("{:.6g}", of.lower);
    return fmt::format("between {:.6g} and {:.6g}", of.lower, of.upper);
}

Json quantiles_json(const Quantiles& of) {
    return {{"mean", of.mean}, {"min", of.min}, {"p10", of.p10}, {"median", of.median},
            {"p90", of.p90},   {"p99", of.p99}, {"max", of.max}};
}

Json describe_json(const Dataset& data, const LoadReport& report, const Statistics& facts) {
    Json hottest = Json::array();
    for (const Popularity& column : facts.hottest) {
        hottest.push_back({{"index", std::uint64_t{column.column} + 1}, {"share", column.share}});
    }
    Json json = {
        {"name", data.name()},
        {"hash", fmt::format("{:016x}", data.content_hash())},
        {"rows", facts.rows},
        {"columns", facts.columns},
        {"used_columns", facts.used_columns},
        {"nonzeros", facts.nonzeros},
        {"empty_rows", facts.empty_rows},
        {"row_nonzeros", quantiles_json(facts.row_nonzeros)},
        {"row_norms", quantiles_json(facts.row_norms)},
        {"labels", quantiles_json(facts.labels)},
        {"positive_share", facts.positive_share},
        {"classes", report.classes},
        {"omega", facts.omega},
        {"delta", facts.delta},
        {"rho_lower", facts.rho.lower},
        {"rho_upper", facts.rho.upper},
        {"rho_exact", facts.rho.exact},
        {"hottest", hottest},
        {"memory_bytes", array_bytes(data.view())},
        {"from_cache", report.from_cache},
        {"file_bytes", report.file_bytes},
        {"text_bytes", report.text_bytes},
        {"parse_seconds", report.parse_seconds},
    };
    if (report.positive_class) json["positive_class"] = *report.positive_class;
    return json;
}

std::string describe_text(const Dataset& data, const LoadReport& report, const Statistics& facts) {
    TitledLines text(data.name());
    text.line("samples",
              grouped(facts.rows) + (facts.empty_rows > 0 ? ", of them empty " + grouped(facts.empty_rows) : ""));
    text.line("columns", fmt::format("{}, of them used {}", grouped(facts.columns), grouped(facts.used_columns)));
    text.line("nonzeros", fmt::format("{} ({} of the matrix)", grouped(facts.nonzeros),
                                      share(static_cast<double>(facts.nonzeros) / static_cast<double>(facts.rows) /
                                            static_cast<double>(facts.columns))));
    text.line("per sample", spread(facts.row_nonzeros));
    text.line("row norms", spread(facts.row_norms));
    if (!report.classes.empty() && report.positive_class) {
        const std::size_t shown = std::min<std::size_t>(report.classes.size(), 10);
        std::vector<std::string> first;
        for (std::size_t i = 0; i < shown; ++i) first.push_back(label_text(report.classes[i]));
        text.line("labels", fmt::format("{}{} in the file; {} is +1, {} of the samples", fmt::join(first, ", "),
                                        shown < report.classes.size() ? ", ..." : "",
                                        label_text(*report.positive_class), share(facts.positive_share)));
    } else {
        text.line("labels", fmt::format("{}; {} above 0", spread(facts.labels), share(facts.positive_share)));
    }
    text.line("Omega", fmt::format("{}: the most nonzeros in a sample", facts.omega));
    text.line("Delta", fmt::format("{:.6g}: the largest share of samples that share one coordinate", facts.delta));
    text.line("rho", rho(facts.rho) + ": the largest share of samples that one sample collides with");
    std::vector<std::string> hottest;
    for (const Popularity& column : facts.hottest) {
        hottest.push_back(fmt::format("{} ({})", std::uint64_t{column.column} + 1, share(column.share)));
    }
    text.line("hottest indices", fmt::format("{}", fmt::join(hottest, ", ")));
    text.line("memory", human_bytes(static_cast<double>(array_bytes(data.view()))));
    text.line("loading", loading(report));
    text.line("content hash", fmt::format("{:016x}", data.content_hash()));
    return text.take();
}

/// The shape of samples that are no rows, and how many of them touch each group of coordinates.
class Crowding {
public:
    double delta = 0;
    CollisionShare rho;

    explicit Crowding(const Dataset& data) {
        constexpr std::uint64_t kBudget = 50'000'000;
        const GroupCounts counts(data.view());
        groups_ = counts.groups();
        if (groups_ == 0 || data.view().rows() == 0) return;
        rho = group_collision_share(data.view(), counts, kBudget);
        counts.for_each_touched([&](std::uint32_t, std::uint64_t count) { touched_.push_back(count); });
        std::ranges::sort(touched_);
        delta = static_cast<double>(at(1)) / static_cast<double>(data.view().rows());
    }

    std::uint64_t at(double share) const {
        if (groups_ == 0) return 0;
        const auto place = static_cast<std::uint64_t>(share * static_cast<double>(groups_ - 1));
        const std::uint64_t untouched = groups_ - touched_.size();
        return place < untouched ? 0 : touched_[place - untouched];
    }

private:
    std::uint64_t groups_ = 0;
    std::vector<std::uint64_t> touched_; // counts of the groups that samples touch, rising
};

Json crowding_json(const Dataset& data, const LoadReport& report, const Crowding& facts) {
    return {{"name", data.name()},
            {"hash", fmt::format("{:016x}", data.content_hash())},
            {"rows", data.view().rows()},
            {"shape", shape_text(data.view())},
            {"groups", data.view().groups()},
            {"samples_of_a_group", {{"min", facts.at(0)}, {"median", facts.at(0.5)}, {"max", facts.at(1)}}},
            {"delta", facts.delta},
            {"rho_lower", facts.rho.lower},
            {"rho_upper", facts.rho.upper},
            {"rho_exact", facts.rho.exact},
            {"memory_bytes", array_bytes(data.view())},
            {"file_bytes", report.file_bytes},
            {"text_bytes", report.text_bytes},
            {"parse_seconds", report.parse_seconds}};
}

std::string crowding_text(const Dataset& data, const LoadReport& report, const Crowding& facts) {
    TitledLines text(data.name());
    text.line("samples", shape_text(data.view()));
    text.line("of each",
              fmt::format("min {}, 10 % {}, median {}, 90 % {}, 99 % {}, max {}: samples that touch one of {}",
                          facts.at(0), facts.at(0.1), facts.at(0.5), facts.at(0.9), facts.at(0.99), facts.at(1),
                          grouped(data.view().groups())));
    text.line("Delta", fmt::format("{:.6g}: the largest share of samples that touch one and the same", facts.delta));
    text.line("rho", rho(facts.rho) + ": the largest share of samples that one sample collides with");
    text.line("memory", human_bytes(static_cast<double>(array_bytes(data.view()))));
    text.line("loading", loading(report));
    text.line("content hash", fmt::format("{:016x}", data.content_hash()));
    return text.take();
}

LoadOptions load_options_of(const DataCommandOptions& options) {
    check_name("problem", options.problem);
    LoadOptions load_options = options.data.load_options();
    load_options.samples = with_problem(options.problem, []<class P>(P) { return P::Pattern::View::kSamples; });
    return load_options;
}

/// What a careful reader would ask about, one sentence each.
std::vector<std::string> suspicions(const Statistics& facts, bool real_labels) {
    std::vector<std::string> found;
    if (facts.empty_rows > 0) {
        found.push_back(fmt::format("{} samples hold no nonzero: their margin is always 0", grouped(facts.empty_rows)));
    }
    if (!real_labels && (facts.positive_share == 0 || facts.positive_share == 1)) {
        found.push_back("all samples have the same class: there is nothing to learn");
    }
    if (facts.used_columns < facts.columns) {
        found.push_back(fmt::format("{} of {} columns never occur", grouped(facts.columns - facts.used_columns),
                                    grouped(facts.columns)));
    }
    if (facts.row_norms.max > 10 * facts.row_norms.median) {
        found.push_back(
            fmt::format("the longest sample has norm {}, the median {}: scale the columns, or take a small step",
                        human(facts.row_norms.max), human(facts.row_norms.median)));
    }
    return found;
}

/// Refuses what seems to hold other samples than LIBSVM text has, by a sentence that names no option which convert lacks.
void check_rows(const std::string& name) {
    const auto kinds = kinds_of_data(name);
    if (kinds.empty() || std::ranges::find(kinds, SparseView::kSamples) != kinds.end()) return;
    throw Error(Failure::kUsage, "cannot convert " + name,
                seems(name, kinds) + ", and convert writes sparse rows only, as LIBSVM text",
                "name LIBSVM text, or what generates sparse rows, such as synthetic:rcv1/100");
}

void note(const LoadReport& report) {
    if (!report.note.empty()) tell("note: {}\n", report.note);
}

} // namespace

int describe_command(const DataCommandOptions& options) {
    if (options.data.name.empty()) {
        throw Error(Failure::kUsage, "no dataset was named", "data needs one",
                    fmt::format("try {0} data train.svm or {0} data synthetic:rcv1/100", called()));
    }
    LoadReport report;
    const Dataset data = load(data_path(options.data.name), load_options_of(options), &report);
    note(report);
    if (data.view().is<ImagesView>()) { // of which each touches all coordinates
        print(options.json ? json_text(images_json(data, report)) + '\n'
                           : printable(images_text(data, loading(report))));
        return kExitDone;
    }
    if (!data.view().is<SparseView>()) {
        const Crowding facts(data);
        print(options.json ? json_text(crowding_json(data, report, facts)) + '\n'
                           : printable(crowding_text(data, report, facts)));
        return kExitDone;
    }
    const Statistics facts = describe(data.sparse());
    print(options.json ? json_text(describe_json(data, report, facts)) + '\n'
                       : printable(describe_text(data, report, facts)));
    return kExitDone;
}

int check_command(const DataCommandOptions& options) {
    LoadOptions load_options = load_options_of(options);
    load_options.use_cache = false; // what counts is the text
    LoadReport report;
    const Dataset data = load(data_path(options.data.name), load_options, &report);
    if (!data.view().is<SparseView>()) {
        print(
            printable(fmt::format("{}: well-formed, {}, {}\n", data.name(), shape_text(data.view()), loading(report))));
        return kExitDone;
    }
    StatisticsOptions cheap;
    cheap.rho_budget = 0;
    const Statistics facts = describe(data.sparse(), cheap);
    std::string text =
        fmt::format("{}: well-formed, {} samples, {} columns, {} nonzeros, {}\n", data.name(), grouped(facts.rows),
                    grouped(facts.columns), grouped(facts.nonzeros), loading(report));
    for (const std::string& finding : suspicions(facts, options.data.real_labels)) text += "  " + finding + '\n';
    print(printable(text));
    return kExitDone;
}

int convert_command(const DataCommandOptions& options) {
    const std::filesystem::path to = options.convert_to;
    for (const char* packed : {".gz", ".bz2", ".xz", ".zst"}) {
        if (to.extension() == packed) {
            throw Error(Failure::kUsage, "cannot write " + to.string(), "convert writes plain text",
                        "name " + to.stem().string() + " and compress it afterwards");
        }
    }
    std::error_code unseen; // what cannot be looked at is said by who writes it
    const auto status = std::filesystem::status(to, unseen);
    const bool is_kept = std::filesystem::is_regular_file(status) || std::filesystem::is_directory(status);
    if (is_kept && !options.overwrite) {
        throw Error(Failure::kUsage, to.string() + " exists", "convert replaces nothing on its own",
                    "choose another name or add --overwrite");
    }
    check_apart("OUT", to.string(), input_files(options.data));
    check_named_file(to.string());
    const std::string from = data_path(options.data.name);
    check_rows(from);
    LoadOptions load_options = options.data.load_options();
    load_options.keep_labels = !options.data.positive_class; // a copy changes nothing that it was not asked to change
    LoadReport report;
    const Dataset data = load(from, load_options, &report);
    note(report);
    write_libsvm(data.sparse(), to.string());
    print(printable(fmt::format("{}: {} samples, {} nonzeros written\n", to.string(), grouped(data.view().rows()),
                                grouped(data.view().nonzeros()))));
    return kExitDone;
}

} // namespace hogwild
