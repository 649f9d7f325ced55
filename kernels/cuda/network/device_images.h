// Borrowed memory: images as a kernel takes them. Readable by the host compiler.
//
// The shape of their network is part of the value, and so lies among the kernel's arguments. A GPU cannot read the
// host's shape, which the view points to. Their arrays lie in memory that the device reads.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/network.h"
#include "kernels/views/images_view.h"

namespace hogwild {

class DeviceImages : public ImagesView {
public:
    DeviceImages() = default;
    /// Precondition: the view is bound to a network.
    explicit DeviceImages(const ImagesView& view) : ImagesView(view), shape_(view.network()) {}

    HOGWILD_HOST_DEVICE const NetworkShape& network() const { return shape_; }

private:
    NetworkShape shape_{};
};

} // namespace hogwild
