# In the place of cmake/libraries.cmake where nothing is linked: the headers of the foreign libraries as Debian installs
# them for this machine, in a folder of their own, so that none of its C library's headers is found beside them.
#
# One of them is made for a system: OpenSSL's configuration.h says how wide its words are, which is told here as its own
# build does for 64-bit Windows. Those of ncurses are too, and src/board_screen/screen.cpp, which reads them, is left out.
set(foreign ${CMAKE_BINARY_DIR}/foreign)
file(REMOVE_RECURSE ${foreign})
file(MAKE_DIRECTORY ${foreign})
foreach(header
    CLI cmark-gfm.h cmark-gfm-core-extensions.h cmark-gfm-extension_api.h cmark-gfm-extensions_export.h
    cmark-gfm_export.h cmark-gfm_version.h nlohmann re2 sqlite3.h tl toml++ zlib.h)
  if(NOT EXISTS /usr/include/${header})
    message(FATAL_ERROR "/usr/include/${header} is missing: tests/support/install.sh lists the packages")
  endif()
  file(CREATE_LINK /usr/include/${header} ${foreign}/${header} SYMBOLIC)
endforeach()

file(MAKE_DIRECTORY ${foreign}/openssl)
file(GLOB openssl_headers /usr/include/openssl/*.h)
foreach(header ${openssl_headers})
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK ${header} ${foreign}/openssl/${name} SYMBOLIC)
endforeach()
file(GLOB of_this_machine /usr/include/*-linux-gnu/openssl)
list(GET of_this_machine 0 of_this_machine)
file(COPY ${of_this_machine}/opensslconf.h DESTINATION ${foreign}/openssl)
file(READ ${of_this_machine}/configuration.h text)
string(REPLACE "define SIXTY_FOUR_BIT_LONG" "define SIXTY_FOUR_BIT" text "${text}")
file(WRITE ${foreign}/openssl/configuration.h "${text}")

file(GLOB zlib_settings /usr/include/zconf.h /usr/include/*-linux-gnu/zconf.h)
list(GET zlib_settings 0 zlib_settings)
file(CREATE_LINK ${zlib_settings} ${foreign}/zconf.h SYMBOLIC)

find_package(Threads REQUIRED)
foreach(library cmark crypto ncursesw re2 sqlite zlib)
  add_library(plankeep_${library} INTERFACE)
  target_include_directories(plankeep_${library} SYSTEM INTERFACE ${foreign})
endforeach()
# The headers that have no library, and so no target of their own.
include_directories(SYSTEM ${foreign})
