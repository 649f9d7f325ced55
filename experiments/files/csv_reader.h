// Reads comma-separated values after RFC 4180: the inverse of csv.h.
//
// A record ends with "\n" or "\r\n"; a quoted field may hold commas, doubled quotes and line breaks. A byte order mark
// and empty lines are skipped. A file whose writer was stopped ends inside a record, without a line end or inside a
// quoted field. That record may hold half a number, so it is left out and `torn_line` says where it began.
//
// Thread-safe: pure function. Errors: Error (Failure::kUsage), "PLACE:LINE: what (why); what to try", for a quote where
// none may be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct CsvRecord {
    std::size_t line; // where it begins, from 1
    std::vector<std::string> fields;
};

struct CsvText {
    std::vector<CsvRecord> records;
    std::size_t torn_line = 0; // 0: nothing was left out
};

/// `place` names the file in messages.
CsvText read_csv(std::string_view text, const std::string& place);

} // namespace hogwild
