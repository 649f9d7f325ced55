# Installs the build tree BUILD_DIR into a new folder below WORK_DIR, builds the consumer project against it, and runs it.
file(REMOVE_RECURSE ${WORK_DIR})

function(step)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

step(${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${CONFIG} --prefix ${WORK_DIR}/prefix)
step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build -G ${GENERATOR}
    -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix
    -D CMAKE_CXX_COMPILER=${CXX_COMPILER} -D CMAKE_CXX_FLAGS=${CXX_FLAGS})
step(${CMAKE_COMMAND} --build ${WORK_DIR}/build --config ${CONFIG})
step(${WORK_DIR}/build/consumer)
