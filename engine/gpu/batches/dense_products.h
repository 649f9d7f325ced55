// Products of matrices of rows with vectors and with each other, by cuBLAS. Only in builds with CUDA.
//
// cuBLAS is a shared library of hundreds of megabytes: it is loaded by whoever first asks for products, not when a
// program starts. Its calls may be captured in a graph: scalars are of the host, the workspace is this object's own. On
// one device the same call gives the same bits at every run. That holds without atomics (cuBLAS's default), on one
// stream, and with a workspace that no other stream has.
// Thread-safety: one thread at a time. Errors: throws Error (Failure::kMissing) where the library is missing, Error when it
// fails.
#pragma once

#include "engine/gpu/memory/device_memory.h"
#include "engine/gpu/stream.h"

#include <cstddef>
#include <cstdint>
#include <string>

struct cublasContext;

namespace hogwild {

/// In device memory, one row after another.
struct DenseRows {
    const float* values = nullptr;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
};

/// One factor of a product of matrices: rows that lie so many floats apart, in device memory.
struct DenseFactor {
    const float* values = nullptr;
    std::uint64_t rows = 0, columns = 0, stride = 0;
    bool turned = false; // its columns are the factor's rows
};

/// What products are made with: floats, or numbers of 11 significant bits that are added up in floats, on tensor cores.
enum class Precision : std::uint8_t { kFloat32, kTf32 };

class DenseProducts {
public:
    /// On a stream that outlives it.
    explicit DenseProducts(const Stream& stream, Precision precision = Precision::kFloat32);
    DenseProducts(const DenseProducts&) = delete;
    DenseProducts& operator=(const DenseProducts&) = delete;
    ~DenseProducts();

    /// products[i] = row i . vector
    void multiply(const DenseRows& matrix, const float* vector, float* products) const;

    /// vector += sum over rows of factors[i] row i
    void add_multiples(const DenseRows& matrix, const float* factors, float* vector) const;

    /// product = left x right, its rows `stride` floats apart.
    void multiply(const DenseFactor& left, const DenseFactor& right, float* product, std::uint64_t stride) const;

    /// Why there are no products here; empty where there are.
    static std::string why_not();

private:
    DeviceArray<std::byte> workspace_;
    cublasContext* handle_ = nullptr;
};

} // namespace hogwild
