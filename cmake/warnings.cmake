# The warnings every target of ours is built with; all of them are errors.
add_library(plankeep_warnings INTERFACE)
target_compile_options(plankeep_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
# GCC 12 sees an overlap in `"text" + std::string` that is not there (GCC bug 105651, fixed in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(plankeep_warnings INTERFACE -Wno-restrict)
endif()
# In a batch every file of ours is an included one, and GCC takes what stands in an anonymous namespace for a header's.
# The preset `dev`, which compiles them one by one, still finds it in real headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND PLANKEEP_UNITY)
  target_compile_options(plankeep_warnings INTERFACE -Wno-subobject-linkage)
endif()
