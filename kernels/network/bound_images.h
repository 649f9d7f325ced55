// What a view of images says of the network that it is bound to: what takes the network's whole shape to say.
//
// The view itself holds a pointer to the shape (kernels/views/images_view.h), so that few sources depend on what a layer is.
// Thread-safety: that of the view.
#pragma once

#include "kernels/network/network.h"
#include "kernels/views/images_view.h"

#include <cstdint>

namespace hogwild {

inline ImagesView ImagesView::bound_to(const NetworkShape& network) const {
    ImagesView view = *this;
    view.bound = &network;
    view.network_groups = network.groups;
    view.network_coordinates = network.coordinates;
    return view;
}

inline std::uint64_t ImagesView::cost(std::uint32_t group) const {
    const Layer* layer = network().layers;
    while (group >= layer->group + layer->rows()) ++layer;
    return std::uint64_t{layer->out.places()} * layer->out.channels;
}

} // namespace hogwild
