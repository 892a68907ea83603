/*
 * The program that agents start as their hook. It passes one event to the daemon of the relay and prints the answer. It parses no JSON:
 * whatever it cannot have answered by the daemon, it has answered by "tenterhook relay run", or by a text that "relay install" has stored.
 */
#ifndef TENTERHOOK_CLIENT_H
#define TENTERHOOK_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

/* Larger inputs go to "relay run", which answers them too. */
#define MAX_INPUT_BYTES ((size_t)64 * 1024 * 1024)
#define MAX_ENVIRONMENT_BYTES ((size_t)1024 * 1024)

/* A growing array of bytes. All zero is empty. */
struct bytes {
  char *data;
  size_t length;
  size_t capacity;
};

/* One event of an agent. */
struct call {
  const char *agent;
  const char *event;
  /* The words after the event, as they are passed on. */
  char **words;
  bool is_closed;
  /* When the guards must have answered, and when the agent must have the answer, as times of now_ms(). */
  long budget_until;
  long answer_until;
  struct bytes input;
  /* `PART`: more follows on stdin. `LATE`: the agent has not ended stdin in time. */
  enum { WHOLE, PART, LATE } read;
};

/* What "relay install" has written beside the program. All texts may be NULL. */
struct configuration {
  char *text;
  const char *node;
  const char *script;
  const char *log;
};

enum reply { ANSWERED, NOT_TAKEN, LOST };

/* bytes.c */
bool append(struct bytes *to, const void *data, size_t length);
bool read_some(int from, struct bytes *to);
bool write_all(int to, const char *data, size_t length);
long now_ms(void);
/* Waits until a file can be read or written. Returns false at the deadline. */
bool wait_for(int file, short events, long until);
/* Like read_some and write_all, until a deadline. A file to write to must not block. */
bool read_until(int from, struct bytes *to, long until);
bool write_until(int to, const char *data, size_t length, long until);

/* call.c: returns NULL, or what is wrong with the command line. */
const char *read_call(int argc, char **argv, struct call *call);
void read_input(struct call *call);

/* place.c: the path of the socket. Returns NULL, or why there is none that can be used. */
const char *find_socket(char *path, size_t size);

/* configuration.c */
void read_configuration(const char *program, struct configuration *configuration);
int say_failed(const struct call *call, const struct configuration *configuration);

/* daemon.c: a connection, or -1. */
int connect_to(const char *path);
int start_daemon(const char *path, const struct configuration *configuration, long wait_ms);

/* exchange.c */
enum reply ask_daemon(int connection, const struct call *call, int *exit_code);

/* run.c */
int run_without_daemon(const struct call *call, const struct configuration *configuration, const char *reason);

#endif
