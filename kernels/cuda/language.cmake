# Sets HOGWILD_HAS_CUDA, and with it enables the language: nvcc compiles kernels/cuda, the host compiler everything else.
set(HOGWILD_HAS_CUDA FALSE)
if(HOGWILD_CUDA STREQUAL "OFF")
    message(STATUS "GPU workers: left out (HOGWILD_CUDA=OFF)")
    return()
endif()

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
    if(HOGWILD_CUDA STREQUAL "ON")
        message(FATAL_ERROR "nvcc was not found (HOGWILD_CUDA=ON asks for it); "
            "install the CUDA toolkit, put its bin folder on PATH, or use -D HOGWILD_CUDA=AUTO")
    endif()
    message(STATUS "GPU workers: left out (no nvcc on PATH)")
    return()
endif()

# Machine code for Hopper, and PTX that the driver compiles for any other GPU that CUDA 13 knows.
if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 75-virtual 90-real)
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

# CMake before 3.25.2 does not know how nvcc 13 is asked for C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(HOGWILD_HAS_CUDA TRUE)
message(STATUS "GPU workers: built with CUDA ${CMAKE_CUDA_COMPILER_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}")
