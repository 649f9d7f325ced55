// How often samples touch each coordinate, and how steep losses are along it: by what increments of several workers are exchanged and
// come together (engine/schemes/replicas/shared_model.h). Steepness is the mean over all samples of a loss's second derivative:
//
//   sparse rows    the loss's curvature x mean value^2 of the column
//   factorization  of a factor t d / sqrt(rank), of a bias t, smaller for groups whose steps are damped. t is the share
//                  of the samples that touch it and d the ratings' deviation. Partners whose products of `rank` factors
//                  deviate as ratings do have factors of that mean square
//   skipgram       t 1.5 / dim: six products of a vector, of curvature 1/4 at most, with vectors of length 1
//   cut            t, over the step size. One step may take a node to a side of the simplex, which is as far as any
//                  number of steps goes
//   network        kNetworkCurvature, and all weights are touched
//
// Thread-safety: a pure function.
#pragma once

#include "kernels/views/any_view.h"

#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

struct CoordinateUse {
    std::vector<float> touched; // shares of the samples
    std::vector<float> steepness;
    bool over_step = false; // steepness is over the step size, whatever that is
};

CoordinateUse coordinate_use(const Plan& plan, const AnyView& data);

} // namespace hogwild
