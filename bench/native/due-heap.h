/* Connections by the time at which each next has something to do: a binary heap whose members know their place. */
#ifndef DUE_HEAP_H
#define DUE_HEAP_H

#include <stdint.h>
#include <stdlib.h>

#define UNPLANNED SIZE_MAX

struct planned {
  int64_t due_ns;
  size_t place; /* UNPLANNED when it is not in the heap */
};

static struct planned **heap;
static size_t heap_size, heap_room;

static void heap_put(size_t place, struct planned *item) {
  heap[place] = item;
  item->place = place;
}

/* Moves `item` from `place`, whose occupant may be overwritten, to where its due time belongs. */
static void heap_settle(size_t place, struct planned *item) {
  while (place > 0 && heap[(place - 1) / 2]->due_ns > item->due_ns) {
    heap_put(place, heap[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  for (;;) {
    size_t child = 2 * place + 1;
    if (child >= heap_size) break;
    if (child + 1 < heap_size && heap[child + 1]->due_ns < heap[child]->due_ns) child++;
    if (heap[child]->due_ns >= item->due_ns) break;
    heap_put(place, heap[child]);
    place = child;
  }
  heap_put(place, item);
}

static void heap_plan(struct planned *item, int64_t due_ns) {
  item->due_ns = due_ns;
  if (item->place == UNPLANNED) {
    if (heap_size == heap_room) {
      heap_room = heap_room ? heap_room * 2 : 1024;
      heap = realloc(heap, heap_room * sizeof *heap);
      if (!heap) abort();
    }
    item->place = heap_size++;
  }
  heap_settle(item->place, item);
}

static void heap_forget(struct planned *item) {
  if (item->place == UNPLANNED) return;
  struct planned *last = heap[--heap_size];
  if (last != item) heap_settle(item->place, last);
  item->place = UNPLANNED;
}

#endif
