#include "engine/gpu/batches/dense_products.h"

#include "engine/schemes/two_devices/gpu_side.h"

#include "engine/error.h"

#include <cublas_v2.h>
#include <dlfcn.h>
#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::size_t kWorkspace = std::size_t{32} << 20; // what cuBLAS itself takes on Hopper, its most

/// The functions that are called, or why they are not there. Loaded once, never unloaded.
class Cublas {
public:
    decltype(&cublasCreate_v2) create = nullptr;
    decltype(&cublasDestroy_v2) destroy = nullptr;
    decltype(&cublasSetStream_v2) set_stream = nullptr;
    decltype(&cublasSetWorkspace_v2) set_workspace = nullptr;
    decltype(&cublasSetMathMode) set_math_mode = nullptr;
    decltype(&cublasSgemv_v2_64) gemv = nullptr;
    decltype(&cublasSgemm_v2_64) gemm = nullptr;
    decltype(&cublasGetStatusString) words = nullptr;
    std::string why_not;

    static const Cublas& instance() {
        static const Cublas loaded;
        return loaded;
    }

private:
    Cublas() {
        const std::string name = fmt::format("libcublas.so.{}", CUBLAS_VER_MAJOR);
        void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) why_not = dlerror(); // says more than the second failure
        if (library == nullptr) library = dlopen((HOGWILD_CUDA_LIBRARIES "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) return;
        why_not.clear();
        find(library, create, "cublasCreate_v2");
        find(library, destroy, "cublasDestroy_v2");
        find(library, set_stream, "cublasSetStream_v2");
        find(library, set_workspace, "cublasSetWorkspace_v2");
        find(library, set_math_mode, "cublasSetMathMode");
        find(library, gemv, "cublasSgemv_v2_64");
        find(library, gemm, "cublasSgemm_v2_64");
        find(library, words, "cublasGetStatusString");
    }

    template <class Function>
    void find(void* library, Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library, name));
        if (function == nullptr) why_not = fmt::format("its library has no {}", name);
    }
};

const Cublas& cublas() { return Cublas::instance(); }

void check(cublasStatus_t status, const char* what) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw Error(std::string(what) + " failed", std::string("cuBLAS: ") + cublas().words(status),
                "see `hogwild info`; a GPU that keeps failing needs its driver restarted");
}

constexpr float kOne = 1, kZero = 0;

} // namespace

std::string DenseProducts::why_not() { return cublas().why_not; }

DenseProducts::DenseProducts(const Stream& stream, Precision precision) {
    if (const std::string reason = why_not(); !reason.empty()) {
        throw Error(Failure::kMissing, "products of dense matrices cannot run on the GPU", "cuBLAS: " + reason,
                    fmt::format("install cuBLAS of CUDA {}, put its folder on LD_LIBRARY_PATH, or use --device cpu",
                                CUBLAS_VER_MAJOR));
    }
    workspace_ = DeviceArray<std::byte>(kWorkspace);
    check(cublas().create(&handle_), "starting cuBLAS");
    check(cublas().set_stream(handle_, stream.get()), "giving cuBLAS its stream"); // resets the workspace: first
    check(cublas().set_workspace(handle_, workspace_.data(), workspace_.bytes()), "giving cuBLAS its workspace");
    check(cublas().set_math_mode(handle_,
                                 precision == Precision::kTf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH),
          "telling cuBLAS its precision");
}

DenseProducts::~DenseProducts() {
    if (handle_ != nullptr) cublas().destroy(handle_);
}

// cuBLAS counts by columns: its matrix is ours transposed, its columns are our rows.

void DenseProducts::multiply(const DenseRows& matrix, const float* vector, float* products) const {
    const auto columns = static_cast<std::int64_t>(matrix.columns), rows = static_cast<std::int64_t>(matrix.rows);
    check(cublas().gemv(handle_, CUBLAS_OP_T, columns, rows, &kOne, matrix.values, columns, vector, 1, &kZero, products,
                        1),
          "a product with a dense matrix");
}

void DenseProducts::add_multiples(const DenseRows& matrix, const float* factors, float* vector) const {
    const auto columns = static_cast<std::int64_t>(matrix.columns), rows = static_cast<std::int64_t>(matrix.rows);
    check(
        cublas().gemv(handle_, CUBLAS_OP_N, columns, rows, &kOne, matrix.values, columns, factors, 1, &kOne, vector, 1),
        "a product with a dense matrix");
}

void DenseProducts::multiply(const DenseFactor& left, const DenseFactor& right, float* product,
                             std::uint64_t stride) const {
    const auto size = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
    const auto turn = [](const DenseFactor& factor) { return factor.turned ? CUBLAS_OP_T : CUBLAS_OP_N; };
    const std::uint64_t rows = left.turned ? left.columns : left.rows, terms = left.turned ? left.rows : left.columns;
    const std::uint64_t columns = right.turned ? right.rows : right.columns;
    check(cublas().gemm(handle_, turn(right), turn(left), size(columns), size(rows), size(terms), &kOne, right.values,
                        size(right.stride), left.values, size(left.stride), &kZero, product, size(stride)),
          "a product of dense matrices");
}

std::string why_not_dense_products() {
    const std::string reason = DenseProducts::why_not();
    return reason.empty() ? "" : "its products of dense matrices need cuBLAS: " + reason;
}

} // namespace hogwild
