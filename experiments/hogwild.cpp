#include "experiments/commands.h"

int main(int argc, char** argv) { return hogwild::hogwild_main(argc, argv); }
