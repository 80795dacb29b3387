/* A growing run of bytes, read from the front and written at the back; and the machine's monotonic clock. */
#ifndef BYTES_H
#define BYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bytes {
  char *data;
  size_t from, to, room;
};

static inline int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Room for `more` bytes at `data + to`, and one for a closing NUL. */
static inline char *bytes_reserve(struct bytes *bytes, size_t more) {
  if (bytes->from == bytes->to) bytes->from = bytes->to = 0;
  if (bytes->to + more + 1 > bytes->room) {
    bytes->room = 2 * (bytes->to + more) + 512;
    bytes->data = realloc(bytes->data, bytes->room);
    if (!bytes->data) abort();
  }
  return bytes->data + bytes->to;
}

static inline void bytes_add(struct bytes *bytes, const char *from, size_t length) {
  memcpy(bytes_reserve(bytes, length), from, length);
  bytes->to += length;
}

static inline size_t bytes_left(const struct bytes *bytes) { return bytes->to - bytes->from; }

#endif
