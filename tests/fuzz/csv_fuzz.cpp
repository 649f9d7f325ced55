// The reader of tables of results on arbitrary bytes: an Error that names the file, or fields that survive being written and
// read again.
#include "experiments/files/csv.h"
#include "experiments/files/csv_reader.h"
#include "tests/fuzz/laws.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    return fuzz(bytes, size, [](std::string_view file, const TextLimits&) {
        const CsvText csv = read_csv(file, "fuzz");
        std::string text = "first\n"; // a field may begin as a byte order mark does
        for (const CsvRecord& record : csv.records) text += csv_line(record.fields);
        const CsvText again = read_csv(text, "again");
        demand(again.torn_line == 0 && again.records.size() == csv.records.size() + 1, "written and read again: lines");
        for (std::size_t i = 0; i < csv.records.size(); ++i)
            demand(again.records[i + 1].fields == csv.records[i].fields, "written and read again: fields");
    });
}
