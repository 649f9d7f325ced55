// A table of text, columns aligned by display width: numbers right, words left.
#pragma once

#include <string>
#include <vector>

namespace hogwild {

enum class Align { kLeft, kRight };

class TextTable {
public:
    void add_column(std::string title, Align align);

    /// One cell for each column.
    void add_row(std::vector<std::string> cells);

    /// Title line, rule, rows; two spaces between columns, no spaces at line ends.
    std::string text() const;

private:
    struct Column {
        std::string title;
        Align align;
    };
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace hogwild
