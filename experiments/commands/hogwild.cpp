#include "experiments/commands/commands.h"

#include <cstdlib>

int main(int argc, char** argv) {
    // Queues to the GPU: streams that share one wait for each other. CUDA's own default is 8.
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    return hogwild::hogwild_main(argc, argv);
}
