#include "client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* An agent that reads nothing for so long does not read the answer any more. */
#define WRITING_MS 2000L

static bool make_room(struct bytes *bytes, size_t more) {
  if (bytes->capacity - bytes->length >= more) return true;
  size_t capacity = bytes->capacity == 0 ? 16384 : bytes->capacity;
  while (capacity - bytes->length < more) capacity *= 2;
  char *data = realloc(bytes->data, capacity);
  if (data == NULL) return false;
  bytes->data = data;
  bytes->capacity = capacity;
  return true;
}

bool append(struct bytes *to, const void *data, size_t length) {
  if (!make_room(to, length)) return false;
  memcpy(to->data + to->length, data, length);
  to->length += length;
  return true;
}

/* Appends what can be read at once. Returns false at the end and after an error. */
bool read_some(int from, struct bytes *to) {
  if (!make_room(to, 16384)) return false;
  for (;;) {
    ssize_t count = read(from, to->data + to->length, to->capacity - to->length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to->length += (size_t)count;
    return true;
  }
}

long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool wait_for(int file, short events, long until) {
  for (;;) {
    long left = until - now_ms();
    if (left <= 0) return false;
    struct pollfd ready = {.fd = file, .events = events, .revents = 0};
    int count = poll(&ready, 1, (int)left);
    if (count > 0) return true;
    if (count == 0 || errno != EINTR) return false;
  }
}

bool read_until(int from, struct bytes *to, long until) {
  return wait_for(from, POLLIN, until) && read_some(from, to);
}

bool write_until(int to, const char *data, size_t length, long until) {
  while (length > 0) {
    ssize_t count = write(to, data, length);
    if (count >= 0) {
      data += count;
      length -= (size_t)count;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(to, POLLOUT, until)) return false;
    } else if (errno != EINTR) return false;
  }
  return true;
}

bool write_all(int to, const char *data, size_t length) {
  return write_until(to, data, length, now_ms() + WRITING_MS);
}
