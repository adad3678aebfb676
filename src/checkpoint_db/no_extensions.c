/* SQLite's archive knows how to load extensions, and refers to dlopen for it. A static program must not:
 * glibc would need the very libraries it was built with. Nothing of ours ever asks for an extension; this
 * says no in the place of glibc (the linker's --wrap, cmake/libraries.cmake). */

void* __wrap_dlopen(const char* file, int mode);
void* __wrap_dlsym(void* library, const char* symbol);
int __wrap_dlclose(void* library);
char* __wrap_dlerror(void);

void* __wrap_dlopen(const char* file, int mode) {
  (void)file;
  (void)mode;
  return 0;
}

void* __wrap_dlsym(void* library, const char* symbol) {
  (void)library;
  (void)symbol;
  return 0;
}

int __wrap_dlclose(void* library) {
  (void)library;
  return 0;
}

char* __wrap_dlerror(void) {
  static char message[] = "a static program loads no extensions";
  return message;
}
