// Marks that let one body of mathematics serve the host compiler and nvcc.
#pragma once

#if defined(__CUDACC__)
#define HOGWILD_HOST_DEVICE __host__ __device__
#else
#define HOGWILD_HOST_DEVICE
#endif
