# `cmake -P build.cmake`: configures and builds into the folder build, by one command on any system.
file(REMOVE ${CMAKE_CURRENT_LIST_DIR}/build/CMakeCache.txt)  # of another place, if the folder was copied
foreach(step "-S;.;-B;build;-DCMAKE_BUILD_TYPE=Release" "--build;build;--config;Release")
    execute_process(COMMAND ${CMAKE_COMMAND} ${step} WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR} RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "the build of this bot failed, see above")
    endif()
endforeach()
