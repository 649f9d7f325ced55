# cmake -D SOURCE_DIR=... -D HEADER=... -P commit.cmake
#
# Defines HOGWILD_COMMIT in HEADER: the checked-out commit, "+dirty" behind it when a tracked file is modified, "unknown"
# outside a checkout. The file is touched only when its content changes, so that an unchanged commit rebuilds nothing.
cmake_minimum_required(VERSION 3.25)

set(commit "")
if(EXISTS ${SOURCE_DIR}/.git)
    # The folder may belong to another user (a container's mount). Optional locks would disturb a git command that runs
    # at the same time.
    execute_process(
        COMMAND ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0
            git -c safe.directory=${SOURCE_DIR} -C ${SOURCE_DIR} describe --always --exclude=* --abbrev=40 --dirty=+dirty
        OUTPUT_VARIABLE commit
        OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET)
endif()
if(commit STREQUAL "")
    set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define HOGWILD_COMMIT \"@commit@\"\n" @ONLY)
