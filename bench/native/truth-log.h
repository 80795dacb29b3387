/* What the truth server knows of the requests that have ended since it was asked last. */
#ifndef TRUTH_LOG_H
#define TRUTH_LOG_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "answer.h"

struct entry {
  char id[ID_ROOM];
  int64_t received_ns, first_ns, last_ns;
  long tokens;
};

static struct entry *entries;
static size_t entry_count, entry_room;

static void keep_entry(const char *id, struct entry entry) {
  if (entry_count == entry_room) {
    entry_room = entry_room ? entry_room * 2 : 4096;
    entries = realloc(entries, entry_room * sizeof *entries);
    if (!entries) abort();
  }
  memcpy(entry.id, id, ID_ROOM);
  entries[entry_count++] = entry;
}

/* Prints what is kept, and forgets it. */
static void print_entries(void) {
  for (size_t each = 0; each < entry_count; each++) {
    const struct entry *entry = &entries[each];
    printf("r %s %lld %lld %lld %ld\n", entry->id, (long long)entry->received_ns, (long long)entry->first_ns,
           (long long)entry->last_ns, entry->tokens);
  }
  entry_count = 0;
}

#endif
