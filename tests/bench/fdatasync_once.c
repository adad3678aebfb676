/* Appends 200 bytes to the file it is given and syncs them: what one durable change costs at the least. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char line[200];
  if (argc != 2) return 2;
  int file = open(argv[1], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return 1;
  memset(line, 'x', sizeof line);
  line[sizeof line - 1] = '\n';
  if (write(file, line, sizeof line) != (ssize_t)sizeof line) return 1;
  return fdatasync(file) == 0 ? 0 : 1;
}
