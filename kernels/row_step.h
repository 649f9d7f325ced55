// What a step adds to one row of a pair: across times the other row, and along times the row itself.
#pragma once

namespace hogwild {

struct RowStep {
    float across, along;
};

} // namespace hogwild
