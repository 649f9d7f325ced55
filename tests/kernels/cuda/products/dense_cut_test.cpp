// How products are cut into tiles, and that tiles of every size have the host's bits.
#include "engine/plan/plan.h"
#include "kernels/cuda/products/dense_cut.h"
#include "tests/engine/gpu/network_runs.h"

#include <cstdint>
#include <set>

using namespace hogwild;

TEST_CASE("tiles cover a product and none lies beyond it") {
    for (const std::uint32_t rows : {1u, 16u, 17u, 127u, 785u, 4096u}) {
        for (const std::uint32_t columns : {1u, 10u, 16u, 33u, 128u, 2048u}) {
            for (std::uint32_t k = 0; k < kDenseTiles; ++k) {
                const DenseCut cut(static_cast<DenseTile>(k), rows, columns);
                CHECK(cut.down * cut.rows >= rows);
                CHECK((cut.down - 1) * cut.rows < rows);
                CHECK(cut.across * cut.columns >= columns);
                CHECK((cut.across - 1) * cut.columns < columns);
                CHECK(cut.tiles() == cut.down * cut.across);
            }
        }
    }
    CHECK(DenseCut(DenseTile::k128x64, 1, 1).rows == 128);
    CHECK(DenseCut(DenseTile::k128x64, 1, 1).columns == kMostColumns);
    CHECK(DenseCut(DenseTile::k32x16, 1, 1).rows == 32);
    CHECK(DenseCut(DenseTile::k32x16, 1, 1).columns == 16);
}

TEST_CASE(
    "no other tiles would cost less, each kind is chosen somewhere, and rows stay whole where they are asked for") {
    std::set<DenseTile> chosen;
    for (const std::uint32_t rows : {16u, 40u, 64u, 256u, 785u, 1024u})
        for (const std::uint32_t columns : {10u, 32u, 128u, 256u})
            for (const std::uint32_t terms : {1u, 64u, 784u})
                for (const std::uint32_t squads : {2u, 16u, 264u}) {
                    const DenseTile tile = tile_of(rows, columns, terms, squads);
                    chosen.insert(tile);
                    for (std::uint32_t k = 0; k < kDenseTiles; ++k)
                        CHECK(cost_of({tile, rows, columns}, terms, squads) <=
                              cost_of({static_cast<DenseTile>(k), rows, columns}, terms, squads));
                    if (columns <= 32)
                        CHECK(DenseCut(tile_of(rows, columns, terms, squads, columns), rows, columns).across == 1);
                }
    CHECK(chosen.size() == kDenseTiles);
}

TEST_CASE("tiles of every size have the bits of a CPU's sums") { // oracle 6
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(160, {15, 17, 1}, 4));
    for (const std::uint32_t batch : {1u, 33u, 150u}) {
        CAPTURE(batch);
        Plan plan = gpu_plan("hogwild", "dense 256 relu; dense 64 tanh; dense 4");
        plan.batch.size = batch;
        plan.epochs = 1;
        check_serial_bits(plan, data, {1, 8});
    }
}

TEST_CASE("slopes of more classes than a tile has columns are made in a phase of their own, with the same bits") {
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(60, {4, 4, 1}, 70));
    Plan plan = gpu_plan("hogwild", "dense 20 relu; dense 70");
    plan.batch.size = 7;
    check_serial_bits(plan, data, {1, 8});
}
