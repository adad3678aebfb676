/*
 * measure RUNS LIST: runs every command of LIST, RUNS times round robin, and prints a line for each:
 *
 *   name <tab> median wall time in microseconds <tab> least <tab> greatest peak memory in KiB
 *
 * Round robin, because a machine has slow and fast moments: in turns, every command gets its share of both,
 * and ratios stay true. LIST has five fields a line, separated by tabs:
 *
 *   name   folder to run in   preparation   input   command and arguments, separated by spaces
 *
 * The preparation runs before every run, outside the clock: "-" for none, "toggle FILE OFFSET" turns the byte
 * of a box from " " to "x" or back, "remove FOLDER" deletes a folder and what is in it. The input is "-"
 * for none, or a file whose bytes come through a pipe of the usual size, as a client feeds its hooks: the
 * pipe is full before the clock starts, and what does not fit is written by a process of its own, whose work
 * is not the command's. Output goes to /dev/null.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kCommands = 64, kArguments = 32, kLine = 4096 };

struct command {
  char* line;
  char* name;
  char* folder;
  char* preparation;
  char* input;   /* NULL for none */
  int input_end; /* of the pipe; -1 for none */
  char* arguments[kArguments + 1];
  double* microseconds;
  long peak;
};

/* A pipe and how far the file has been written into it. */
struct feed {
  int file;
  int reading;
  int writing; /* -1 when all is said */
  off_t done;
  int goes_on; /* in the thread */
  pthread_t thread;
};

static void stop(const char* what, const char* which) {
  fprintf(stderr, "measure: %s: %s: %s\n", which, what, strerror(errno));
  exit(1);
}

static void toggle(const char* path, long offset) {
  char box = 0;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0 || pread(file, &box, 1, offset) != 1) stop("cannot read the box", path);
  if (box != ' ' && box != 'x') stop("no box at the offset", path);
  box = box == ' ' ? 'x' : ' ';
  if (pwrite(file, &box, 1, offset) != 1 || close(file) != 0) stop("cannot write the box", path);
}

static int remove_one(const char* path, const struct stat* status, int kind, struct FTW* place) {
  (void)status;
  (void)kind;
  (void)place;
  if (remove(path) != 0) stop("cannot remove", path);
  return 0;
}

static void remove_folder(const char* path) {
  (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void prepare(const struct command* command) {
  char path[kLine];
  long offset = 0;
  if (chdir(command->folder) != 0) stop("cannot enter", command->folder);
  if (sscanf(command->preparation, "toggle %4095s %ld", path, &offset) == 2)
    toggle(path, offset);
  else if (sscanf(command->preparation, "remove %4095s", path) == 1)
    remove_folder(path);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* Hands the input to the pipe until all is said, nobody reads any more or, in a pipe that does not wait, it
 * is full. Piece by piece: the bytes themselves would count as this process's memory, and with it as the
 * command's. */
static void pour(struct feed* feed) {
  char piece[4096];
  ssize_t written = 1;
  while (written > 0) {
    ssize_t size = pread(feed->file, piece, sizeof piece, feed->done);
    written = size > 0 ? write(feed->writing, piece, (size_t)size) : 0;
    if (written > 0) feed->done += written;
  }
  if (written < 0 && errno == EAGAIN) return;
  close(feed->writing);
  feed->writing = -1;
}

static void* pour_rest(void* feed) {
  pour(feed);
  return NULL;
}

/* What does not fit into the pipe is left to a thread, not to a process: after a fork, the pages that this
 * process and it shared would be taken apart at the command's expense. */
static void open_feed(const char* path, struct feed* feed) {
  int ends[2];
  feed->file = open(path, O_RDONLY | O_CLOEXEC);
  if (feed->file < 0) stop("cannot read", path);
  if (pipe2(ends, O_CLOEXEC) != 0) stop("cannot make a pipe", path);
  feed->reading = ends[0];
  feed->writing = ends[1];
  feed->done = 0;
  fcntl(feed->writing, F_SETFL, O_NONBLOCK);
  pour(feed);
  feed->goes_on = feed->writing >= 0;
  if (!feed->goes_on) return;
  fcntl(feed->writing, F_SETFL, 0);
  if (pthread_create(&feed->thread, NULL, pour_rest, feed) != 0) stop("cannot feed", path);
}

static void close_feed(struct feed* feed) {
  close(feed->reading);
  if (feed->goes_on) pthread_join(feed->thread, NULL);
  close(feed->file);
}

static pid_t start(const struct command* command, const struct feed* feed) {
  /* vfork: a fork of a program this small is cheap too, but its page tables would count. */
  pid_t child = vfork();
  if (child == 0) {
    int null = open("/dev/null", O_RDWR);
    dup2(feed->reading >= 0 ? feed->reading : null, 0);
    dup2(null, 1);
    signal(SIGPIPE, SIG_DFL);
    execv(command->arguments[0], command->arguments);
    _exit(127);
  }
  return child;
}

static void run(struct command* command, int round) {
  struct rusage usage;
  struct feed feed = {.reading = -1};
  int status = 0;
  prepare(command);
  if (command->input != NULL) open_feed(command->input, &feed);
  const double begin = now();
  pid_t child = start(command, &feed);
  if (child < 0 || wait4(child, &status, 0, &usage) != child) stop("cannot run", command->name);
  const double end = now();
  if (command->input != NULL) close_feed(&feed);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fprintf(stderr, "measure: %s: exit status %d\n", command->name,
            WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    exit(1);
  }
  command->microseconds[round] = end - begin;
  if (usage.ru_maxrss > command->peak) command->peak = usage.ru_maxrss;
}

static int by_size(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static int read_list(const char* path, struct command* commands, int runs) {
  char line[kLine];
  int count = 0;
  FILE* list = fopen(path, "r");
  if (list == NULL) stop("cannot read", path);
  while (count < kCommands && fgets(line, sizeof line, list) != NULL) {
    struct command* command = &commands[count];
    char* rest = command->line = strdup(line);
    rest[strcspn(rest, "\n")] = '\0';
    command->name = strsep(&rest, "\t");
    command->folder = strsep(&rest, "\t");
    command->preparation = strsep(&rest, "\t");
    char* input = strsep(&rest, "\t");
    int argument = 0;
    while (rest != NULL && argument < kArguments) command->arguments[argument++] = strsep(&rest, " ");
    if (argument == 0) continue;
    if (strcmp(input, "-") != 0) command->input = input;
    command->microseconds = calloc((size_t)runs, sizeof(double));
    ++count;
  }
  fclose(list);
  return count;
}

int main(int argc, char** argv) {
  static struct command commands[kCommands];
  signal(SIGPIPE, SIG_IGN);
  int runs = argc == 3 ? atoi(argv[1]) : 0;
  if (runs < 1) {
    fprintf(stderr, "usage: measure RUNS LIST\n");
    return 2;
  }
  int count = read_list(argv[2], commands, runs);
  for (int round = 0; round < runs; ++round)
    for (int i = 0; i < count; ++i) run(&commands[i], round);
  for (int i = 0; i < count; ++i) {
    qsort(commands[i].microseconds, (size_t)runs, sizeof(double), by_size);
    printf("%s\t%.0f\t%.0f\t%ld\n", commands[i].name, commands[i].microseconds[runs / 2],
           commands[i].microseconds[0], commands[i].peak);
  }
  return 0;
}
