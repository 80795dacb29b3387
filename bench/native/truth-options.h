/* The truth server's options: see the top of truth-server.c. */
#ifndef TRUTH_OPTIONS_H
#define TRUTH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int64_t first_us = 50000, every_us = 10000, tokens = 64, stall_after_us, stall_us;
static int64_t keep_alive_us = 5000000, keep_alive_requests;

static bool read_option(const char *name, const char *value) {
  const struct {
    const char *name;
    int64_t *value;
  } options[] = {{"--first-us", &first_us},           {"--every-us", &every_us},
                 {"--tokens", &tokens},               {"--stall-after-us", &stall_after_us},
                 {"--stall-us", &stall_us},           {"--keep-alive-us", &keep_alive_us},
                 {"--keep-alive-requests", &keep_alive_requests}};
  for (size_t each = 0; each < sizeof options / sizeof *options; each++)
    if (strcmp(options[each].name, name) == 0) return *options[each].value = strtoll(value, NULL, 10), true;
  return false;
}

#endif
