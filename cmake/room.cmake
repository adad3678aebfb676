# What nearly every file reads, of ours and of the standard library.
set(plankeep_everywhere
  "$<$<COMPILE_LANGUAGE:CXX>:<algorithm$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:<functional$<ANGLE-R>>"
  "$<$<COMPILE_LANGUAGE:CXX>:<memory$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:<optional$<ANGLE-R>>"
  "$<$<COMPILE_LANGUAGE:CXX>:<string$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:<string_view$<ANGLE-R>>"
  "$<$<COMPILE_LANGUAGE:CXX>:<unordered_map$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:<utility$<ANGLE-R>>"
  "$<$<COMPILE_LANGUAGE:CXX>:<vector$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/src/base/result.hpp>")

# plankeep_room(NAME SOURCES ... [ALONE ...] [LIBRARIES ...]): one static library for one folder of src/.
# Every room sees src/ as its include root; what it may include is held by tests/architecture.
# ALONE: sources that are never compiled in a batch with others, because src/cli/start_up.ld looks for their object
# files, or because they share names with others that stay inside a file.
# Rooms that no hook calls on its way to an answer, or only after it: what they cost is waiting for git, for SQLite, for
# the disk or for a person. The release optimises them for size, which leaves about half of their code and compiles them
# a quarter faster. All others are on the way of a hook, or have loops that tests/bench holds to a budget (search for
# secrets, packs of git, merges and attribution of lines).
set(plankeep_cold_rooms
  board board_screen charts checkpoint_db checkpoints cli commits doctor editing fleet git install json_rpc lsp mcp remotes
  render reports
  rewind session_store sessions settings_files verify worktree)

if(PLANKEEP_PRECOMPILE AND PLANKEEP_COLD_FLAGS)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/cold_headers.cpp CONTENT "")
  add_library(plankeep_cold_headers STATIC ${PROJECT_BINARY_DIR}/cold_headers.cpp)
  target_include_directories(plankeep_cold_headers PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(plankeep_cold_headers PRIVATE -ffunction-sections -fdata-sections ${PLANKEEP_COLD_FLAGS})
  target_link_libraries(plankeep_cold_headers PRIVATE plankeep_warnings)
  target_precompile_headers(plankeep_cold_headers PRIVATE ${plankeep_everywhere})
endif()

function(plankeep_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;ALONE;LIBRARIES" ${ARGN})
  add_library(plankeep_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(plankeep_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  # One section a function, so that the linker can leave out what the program never calls.
  target_compile_options(plankeep_${name} PRIVATE -ffunction-sections -fdata-sections)
  # Precompiled headers are read only by what is optimised as they are.
  set(headers base)
  if(name IN_LIST plankeep_cold_rooms)
    if(PLANKEEP_COLD_FLAGS)
      target_compile_options(plankeep_${name} PRIVATE ${PLANKEEP_COLD_FLAGS})
      set(headers cold_headers)
    elseif(NOT PLANKEEP_PRECOMPILE)
      target_compile_options(plankeep_${name} PRIVATE $<$<CONFIG:Release>:-Os>)
    endif()
  endif()
  target_link_libraries(plankeep_${name} PUBLIC ${ROOM_LIBRARIES} PRIVATE plankeep_warnings)
  if(PLANKEEP_UNITY)
    set_target_properties(plankeep_${name} PROPERTIES UNITY_BUILD ON)
    set_source_files_properties(${ROOM_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  if(PLANKEEP_PRECOMPILE AND name STREQUAL base)
    target_precompile_headers(plankeep_base PRIVATE ${plankeep_everywhere})
  elseif(PLANKEEP_PRECOMPILE)
    # Rooms are compiled with the same options, so one precompiled file is enough for all that are hot and one for all
    # that are not. Not for the release: GCC 12 warns of the standard's own strings (-Wstringop-overflow at -O3) when
    # they come from such a file.
    target_precompile_headers(plankeep_${name} REUSE_FROM plankeep_${headers})
  endif()
endfunction()
