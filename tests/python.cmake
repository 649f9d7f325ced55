# Tests of files and programs, written in Python, by the first python3 that has matplotlib (Debian's package is seen only
# by Debian's interpreter). Nothing is imported from the current folder, which -c puts first, nor from those of PYTHONPATH.
function(hogwild_has_matplotlib result python)
    execute_process(COMMAND ${python} -E -c "import sys; sys.path = [path for path in sys.path if path]\nimport matplotlib"
        RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()
find_program(HOGWILD_PYTHON NAMES python3 PATHS /usr/bin VALIDATOR hogwild_has_matplotlib)
if(NOT HOGWILD_PYTHON)
    message(FATAL_ERROR "no python3 with matplotlib was found (looked in PATH and /usr/bin); "
        "try: sudo apt-get install python3-matplotlib, or ./experiments/setup for everything at once")
endif()
file(GLOB_RECURSE scripts CONFIGURE_DEPENDS *_test.py)
foreach(script IN LISTS scripts)
    cmake_path(RELATIVE_PATH script BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE name)
    string(REGEX REPLACE "_test\\.py$" "" name ${name})
    add_test(NAME ${name} COMMAND ${HOGWILD_PYTHON} ${script})
    set(environment ${test_environment})
    if(name MATCHES "^results/")
        list(APPEND environment PYTHONPATH=${CMAKE_CURRENT_SOURCE_DIR}/results) # what tests of several folders share
    endif()
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}" TIMEOUT ${test_timeout} SKIP_RETURN_CODE 77)
    if(name MATCHES "^(results/|experiments/(scripts/(devices|tuning)|folder/run_key)$|experiments/bench/rivals/|tree/)")
        set_tests_properties(${name} PROPERTIES LABELS results) # of scripts or results, whatever the program is built with
    endif()
endforeach()

if(HOGWILD_HAS_CUDA)
    set_tests_properties(kernels/cuda/machine_code PROPERTIES LABELS gpu) # wants cuobjdump, which is where nvcc is used
endif()
