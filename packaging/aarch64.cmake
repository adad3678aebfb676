# CMake toolchain: GCC for Linux on aarch64, against the Debian libraries that packaging/sysroot.sh unpacked.
# PLANKEEP_SYSROOT names that folder; programs that were built run through qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PLANKEEP_SYSROOT)

# The C and C++ libraries are those of the cross compiler; only the others come from the folder.
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${PLANKEEP_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
foreach(language C CXX)
  set(CMAKE_${language}_STANDARD_INCLUDE_DIRECTORIES
    ${PLANKEEP_SYSROOT}/usr/include ${PLANKEEP_SYSROOT}/usr/include/aarch64-linux-gnu)
endforeach()
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
