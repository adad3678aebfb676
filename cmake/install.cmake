# What `cmake --install` puts in place. Completions are asked of the program that was just built, so that they never
# say anything else than it does.
if(NOT TARGET plankeep)
  return()
endif()

set(completions ${PROJECT_BINARY_DIR}/completions)
set(completion_files)
foreach(pair "bash:plankeep" "zsh:_plankeep" "fish:plankeep.fish")
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 shell)
  list(GET pair 1 file)
  add_custom_command(
    OUTPUT ${completions}/${shell}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${completions}/${shell}
    COMMAND plankeep completion ${shell} > ${completions}/${shell}/${file}
    DEPENDS plankeep
    COMMENT "Completions for ${shell}"
    VERBATIM)
  list(APPEND completion_files ${completions}/${shell}/${file})
endforeach()
add_custom_target(plankeep_completions ALL DEPENDS ${completion_files})

# Says of an installed program where it came from (src/project/own_program.hpp); packages bring their own.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/origin.json
  CONTENT "{\"package\": \"source\", \"version\": \"@PROJECT_VERSION@\"}\n" @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/origin.json DESTINATION ${CMAKE_INSTALL_DATADIR}/plankeep)
install(TARGETS plankeep RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# A package of its own, since it needs libpq: cmake --install BUILD --component fleet.
if(TARGET plankeep-fleet)
  install(TARGETS plankeep-fleet RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT fleet EXCLUDE_FROM_ALL)
endif()
file(GLOB schemas CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/schemas/*.schema.json)
install(FILES ${schemas} schemas/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/plankeep/schemas)
# The git hooks are programs: their permissions come along.
install(DIRECTORY hooks/ DESTINATION ${CMAKE_INSTALL_DATADIR}/plankeep/hooks USE_SOURCE_PERMISSIONS)
install(FILES ${completions}/bash/plankeep DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completions}/zsh/_plankeep DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completions}/fish/plankeep.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES docs/plankeep.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# The documents keep their places to each other, so that the links among them work.
install(FILES README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB documents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
install(FILES ${documents} docs/terminal.svg docs/board.svg docs/report.svg DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
