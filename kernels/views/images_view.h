// Borrowed memory: a view of labelled images, and of the network that learns to tell their classes.
//
// A sample is one image of bytes, channels last, and its class. An entry of a network's input is its byte / 255, so a black place
// is an exact zero. The parameter buffer holds the network's weights (kernels/network/network.h); a step touches all of them.
//
// A view owns nothing, is copied by value, and lives no longer than its owner (engine/data/dataset.h). The network's shape has an owner of
// its own (engine/network/network.h). What needs to know the shape itself is in kernels/network/bound_images.h.
// Any number of threads may read through a view at the same time; nobody may write meanwhile.
#pragma once

#include "kernels/annotate.h"
#include "kernels/views/map_shape.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace hogwild {

struct NetworkShape;

/// One sample, and all groups and coordinates of the network.
struct LabelledImage {
    const std::uint8_t* pixels;
    std::uint32_t label;
    std::uint32_t groups, coordinates;

    /// visit(g) for every group of coordinates that it touches, rising.
    void for_each_group(const auto& visit) const {
        for (std::uint32_t g = 0; g < groups; ++g) visit(g);
    }

    /// visit(j) for every coordinate that a step on it increments, rising.
    void for_each_coordinate(const auto& visit) const {
        for (std::uint32_t j = 0; j < coordinates; ++j) visit(j);
    }
};

struct ImagesView {
    static constexpr std::string_view kSamples = "images";
    static constexpr bool kMovable = true;
    static constexpr std::uint32_t kMostClasses = 256;

    static constexpr std::uint32_t together(std::uint64_t) { return 256; }

    const std::uint8_t* pixels = nullptr; // `rows` images of shape.size() bytes
    const std::uint8_t* labels = nullptr; // `rows` classes below `classes`
    std::uint64_t rows = 0;
    MapShape shape;
    std::uint32_t classes = 0;           // 2 to kMostClasses
    float l2 = 0;                        // lambda of (lambda / 2) |w|^2, of all weights but biases
    const NetworkShape* bound = nullptr; // the network; none where no problem has bound one
    std::uint32_t network_groups = 0, network_coordinates = 0;

    /// These samples for that network, which it borrows.
    ImagesView bound_to(const NetworkShape& network) const;
    /// Precondition: it is bound to one.
    const NetworkShape& network() const { return *bound; }

    HOGWILD_HOST_DEVICE std::uint32_t groups() const { return network_groups; }
    HOGWILD_HOST_DEVICE std::uint32_t coordinates() const { return network_coordinates; }
    HOGWILD_HOST_DEVICE std::uint64_t nonzeros() const { return rows * network_coordinates; }
    HOGWILD_HOST_DEVICE std::uint64_t bytes() const { return rows * (shape.size() + 1); }
    HOGWILD_HOST_DEVICE bool dense() const { return true; }

    /// Multiplications that a group's part of a sample's gradient takes.
    std::uint64_t cost(std::uint32_t group) const;

    /// visit(array, entries) for every array of a view; each may be moved by the visit.
    static void for_each_array(auto& view, const auto& visit) {
        visit(view.pixels, view.rows * view.shape.size());
        visit(view.labels, view.rows);
    }

    /// With the larger number of classes of the two.
    ImagesView widened(const ImagesView& other) const {
        ImagesView wide = *this;
        wide.classes = std::max(classes, other.classes);
        return wide;
    }

    HOGWILD_HOST_DEVICE LabelledImage row(std::uint64_t i) const {
        return {pixels + i * shape.size(), labels[i], network_groups, network_coordinates};
    }

    HOGWILD_HOST_DEVICE LabelledImage drawn(std::uint64_t i, std::uint64_t, std::uint32_t) const { return row(i); }
};

} // namespace hogwild
