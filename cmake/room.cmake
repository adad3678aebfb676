# What nearly every file reads, of ours and of the standard library.
set(plankeep_everywhere
  "$<$<COMPILE_LANGUAGE:CXX>:<algorithm$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:<functional$<ANGLE-R>>"
  "$<$<COMPILE_LANGUAGE:CXX>:<memory$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:<optional$<ANGLE-R>>"
  "$<$<COMPILE_LANGUAGE:CXX>:<string$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:<string_view$<ANGLE-R>>"
  "$<$<COMPILE_LANGUAGE:CXX>:<unordered_map$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:<utility$<ANGLE-R>>"
  "$<$<COMPILE_LANGUAGE:CXX>:<vector$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/src/base/result.hpp>")

# plankeep_room(NAME SOURCES ... [LIBRARIES ...]): one static library for one folder of src/.
# Every room sees src/ as its include root; what it may include is held by tests/architecture.
function(plankeep_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(plankeep_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(plankeep_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  # One section a function, so that the linker can leave out what the program never calls.
  target_compile_options(plankeep_${name} PRIVATE -ffunction-sections -fdata-sections)
  target_link_libraries(plankeep_${name} PUBLIC ${ROOM_LIBRARIES} PRIVATE plankeep_warnings)
  if(PLANKEEP_PRECOMPILE)
    target_precompile_headers(plankeep_${name} PRIVATE ${plankeep_everywhere})
  endif()
endfunction()
