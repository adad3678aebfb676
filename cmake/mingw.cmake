# Compiles the rooms for Windows (x86-64) with Debian's mingw-w64, to see that nothing outside of src/system/posix knows
# POSIX. Nothing is linked: Debian has no libraries of ours for Windows, and system/windows is not written (docs/porting.md).
# Of the two variants of the compiler only the one with threads of POSIX kind has <mutex> and <thread> in GCC 12.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
