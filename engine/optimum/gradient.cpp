#include "engine/optimum/gradient.h"

#include "engine/optimum/known_problem.h"
#include "engine/optimum/sample_matrix.h"

namespace hogwild {

std::vector<double> gradient(std::string_view problem, const SparseView& data, double l2,
                             std::span<const double> weights) {
    return with_known_linear_problem(problem, [&]<class Problem>(Problem) {
        SampleMatrix matrix(data);
        std::vector<double> samples(data.rows);
        std::vector<double> sums(data.columns);
        matrix.multiply(weights, samples);
        const double share = 1 / static_cast<double>(data.rows);
        for (std::uint64_t i = 0; i < data.rows; ++i) {
            samples[i] = share * Problem::slope(samples[i], double{data.labels[i]});
        }
        matrix.multiply_transposed(samples, sums);
        for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += l2 * weights[j];
        return sums;
    });
}

} // namespace hogwild
