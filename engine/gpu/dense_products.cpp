#include "engine/gpu/dense_products.h"

#include "engine/schemes/gpu_side.h"

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
    decltype(&cublasSgemv_v2_64) gemv = nullptr;
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
        find(library, gemv, "cublasSgemv_v2_64");
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

DenseProducts::DenseProducts(const Stream& stream) {
    if (const std::string reason = why_not(); !reason.empty()) {
        throw Error(Failure::kMissing, "minibatch steps on dense samples cannot run on the GPU", "cuBLAS: " + reason,
                    fmt::format("install cuBLAS of CUDA {}, put its folder on LD_LIBRARY_PATH, or use --device cpu",
                                CUBLAS_VER_MAJOR));
    }
    workspace_ = DeviceArray<std::byte>(kWorkspace);
    check(cublas().create(&handle_), "starting cuBLAS");
    check(cublas().set_stream(handle_, stream.get()), "giving cuBLAS its stream"); // resets the workspace: first
    check(cublas().set_workspace(handle_, workspace_.data(), workspace_.bytes()), "giving cuBLAS its workspace");
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

std::string why_not_dense_batches() {
    const std::string reason = DenseProducts::why_not();
    return reason.empty() ? "" : "its batches of dense samples need cuBLAS: " + reason;
}

} // namespace hogwild
