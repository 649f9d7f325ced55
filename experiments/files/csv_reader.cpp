#include "experiments/files/csv_reader.h"

#include "engine/error.h"

#include <utility>

namespace hogwild {
namespace {

class Reader {
public:
    Reader(std::string_view text, const std::string& place) : text_(text), place_(place) {
        constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
        if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    }

    CsvText read() {
        CsvText found;
        while (at_ < text_.size()) {
            CsvRecord record{line_, {}};
            if (!read_record(record.fields)) {
                found.torn_line = record.line;
                break;
            }
            if (record.fields.size() > 1 || !record.fields[0].empty()) found.records.push_back(std::move(record));
        }
        return found;
    }

private:
    enum class End { kField, kRecord, kText };

    /// False: the text ended first.
    bool read_record(std::vector<std::string>& fields) {
        for (;;) {
            fields.emplace_back();
            const End end =
                at_ < text_.size() && text_[at_] == '"' ? read_quoted(fields.back()) : read_plain(fields.back());
            if (end != End::kField) return end == End::kRecord;
        }
    }

    End read_plain(std::string& field) {
        const std::size_t end = text_.find_first_of(",\"\r\n", at_);
        if (end == std::string_view::npos) {
            at_ = text_.size();
            return End::kText;
        }
        field = text_.substr(at_, end - at_);
        at_ = end;
        return separator("a quote or a carriage return stands inside a field that has no quotes around it");
    }

    End read_quoted(std::string& field) {
        for (++at_;; ++at_) {
            const std::size_t end = text_.find('"', at_);
            if (end == std::string_view::npos) {
                at_ = text_.size();
                return End::kText;
            }
            for (const char c : text_.substr(at_, end - at_)) line_ += c == '\n' ? 1 : 0;
            field += text_.substr(at_, end - at_);
            at_ = end + 1;
            if (at_ >= text_.size() || text_[at_] != '"') break;
            field += '"';
        }
        return separator("something other than a comma or a line end follows a closing quote");
    }

    /// Steps over what ends a field.
    End separator(const char* why_not) {
        if (at_ < text_.size() && text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n')) ++at_;
        if (at_ >= text_.size()) return End::kText;
        const char c = text_[at_++];
        if (c == ',') return End::kField;
        if (c != '\n') {
            throw Error(Failure::kUsage, place_ + ":" + std::to_string(line_) + ": not a CSV line", why_not,
                        "restore the file as the program wrote it");
        }
        ++line_;
        return End::kRecord;
    }

    std::string_view text_;
    const std::string& place_;
    std::size_t at_ = 0, line_ = 1;
};

} // namespace

CsvText read_csv(std::string_view text, const std::string& place) { return Reader(text, place).read(); }

} // namespace hogwild
