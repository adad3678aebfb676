# Foreign libraries, one interface target each, so that a room names what it uses and nothing else.
if(PLANKEEP_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()

find_library(CMARK_GFM_LIBRARY cmark-gfm REQUIRED)
find_library(CMARK_GFM_EXTENSIONS_LIBRARY cmark-gfm-extensions REQUIRED)
add_library(plankeep_cmark INTERFACE)
target_link_libraries(plankeep_cmark INTERFACE ${CMARK_GFM_EXTENSIONS_LIBRARY} ${CMARK_GFM_LIBRARY})

find_library(RE2_LIBRARY re2 REQUIRED)
find_package(Threads REQUIRED)
add_library(plankeep_re2 INTERFACE)
target_link_libraries(plankeep_re2 INTERFACE ${RE2_LIBRARY} Threads::Threads)

find_library(CRYPTO_LIBRARY crypto REQUIRED)
add_library(plankeep_crypto INTERFACE)
target_link_libraries(plankeep_crypto INTERFACE ${CRYPTO_LIBRARY})

find_library(ZLIB_LIBRARY z REQUIRED)
add_library(plankeep_zlib INTERFACE)
target_link_libraries(plankeep_zlib INTERFACE ${ZLIB_LIBRARY})

find_library(SQLITE_LIBRARY sqlite3 REQUIRED)
add_library(plankeep_sqlite INTERFACE)
target_link_libraries(plankeep_sqlite INTERFACE ${SQLITE_LIBRARY} Threads::Threads)
if(PLANKEEP_STATIC)
  # A static program loads no extensions: src/checkpoint_db/no_extensions.c answers in the place of dlopen and its kin.
  target_link_libraries(plankeep_sqlite INTERFACE plankeep_no_extensions m)
  target_link_options(plankeep_sqlite INTERFACE
    -Wl,--wrap=dlopen -Wl,--wrap=dlsym -Wl,--wrap=dlclose -Wl,--wrap=dlerror)
endif()

find_library(NCURSESW_LIBRARY ncursesw REQUIRED)
find_library(TINFO_LIBRARY tinfo REQUIRED)
add_library(plankeep_ncursesw INTERFACE)
target_link_libraries(plankeep_ncursesw INTERFACE ${NCURSESW_LIBRARY} ${TINFO_LIBRARY})
