// What serial, minibatch and local SGD mean, in double, weight by weight: no lazy scale, no chunks, no threads.
#pragma once

#include "engine/order/order.h"
#include "engine/order/schedule.h"
#include "engine/plan/plan.h"
#include "kernels/catalog.h"
#include "kernels/views/sparse_view.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hogwild {

/// w <- (1 - step lambda) w - step (1/count) sum of the samples' gradients at the old w.
inline void reference_step(const Plan& plan, const SparseView& data, const std::uint32_t* rows, std::uint64_t count,
                           double step, std::vector<double>& w) {
    std::vector<double> slopes;
    for (std::uint64_t i = 0; i < count; ++i) {
        const SparseRow row = data.row(rows[i]);
        double margin = 0;
        for (std::uint32_t k = 0; k < row.size; ++k) margin += w[row.index[k]] * row.value[k];
        slopes.push_back(with_linear_problem(plan.problem, [&](auto problem) {
            return decltype(problem)::slope(margin, static_cast<double>(row.label));
        }));
    }
    for (double& coordinate : w) coordinate *= 1 - step * plan.l2;
    for (std::uint64_t i = 0; i < count; ++i) {
        const SparseRow row = data.row(rows[i]);
        for (std::uint32_t k = 0; k < row.size; ++k) {
            w[row.index[k]] -= step * slopes[i] * row.value[k] / static_cast<double>(count);
        }
    }
}

/// Mean loss, without the regulariser.
inline double reference_loss(const Plan& plan, const SparseView& data, const std::vector<double>& w) {
    double sum = 0;
    for (std::uint64_t i = 0; i < data.rows; ++i) {
        const SparseRow row = data.row(i);
        double margin = 0;
        for (std::uint32_t k = 0; k < row.size; ++k) margin += w[row.index[k]] * row.value[k];
        sum += with_linear_problem(plan.problem, [&](auto problem) {
            return decltype(problem)::value(margin, static_cast<double>(row.label));
        });
    }
    return sum / static_cast<double>(data.rows);
}

/// The weights at the end. Serial is minibatch of one, and local SGD of one worker. For steps that are constant within an
/// epoch, and data of which the backoff protocol watches every row.
inline std::vector<double> reference(const Plan& plan, const SparseView& data) {
    const bool local = plan.scheme == "local-sgd";
    const std::uint64_t workers = local ? plan.threads : 1;
    const std::uint64_t batch = plan.scheme == "minibatch" ? plan.batch.size : 1;
    const std::uint64_t round = local && plan.exchange.period > 0 ? plan.exchange.period * workers : data.rows;
    Schedule schedule(plan.step, plan.epochs);
    OrderCursor cursor(plan.order, data, plan.seed);
    std::vector<std::uint32_t> rows(data.rows);
    std::vector<double> w(data.columns);
    for (std::uint32_t epoch = 0; epoch < plan.epochs; ++epoch) {
        if (!schedule.known()) schedule.decide(reference_loss(plan, data, w));
        fill(cursor, epoch, 0, static_cast<std::uint32_t>(data.rows), rows.data());
        for (std::uint64_t first = 0; first < data.rows; first += round) {
            const std::uint64_t count = std::min(round, data.rows - first);
            std::vector<double> average(data.columns);
            for (std::uint64_t worker = 0; worker < workers; ++worker) {
                std::vector<double> model = w;
                const std::uint64_t end = first + count * (worker + 1) / workers;
                for (std::uint64_t i = first + count * worker / workers; i < end; i += batch) {
                    reference_step(plan, data, rows.data() + i, std::min(batch, end - i), schedule.step(epoch, 0),
                                   model);
                }
                for (std::size_t j = 0; j < w.size(); ++j) average[j] += model[j] / static_cast<double>(workers);
            }
            w = average;
        }
    }
    return w;
}

/// |found - expected| / |expected|, Euclidean.
template <class Expected>
double distance(const std::vector<float>& found, const std::vector<Expected>& expected) {
    double difference = 0, size = 0;
    for (std::size_t j = 0; j < expected.size(); ++j) {
        difference += std::pow(static_cast<double>(found[j]) - static_cast<double>(expected[j]), 2);
        size += static_cast<double>(expected[j]) * static_cast<double>(expected[j]);
    }
    return std::sqrt(difference / size);
}

} // namespace hogwild
