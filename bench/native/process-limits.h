/*
 * What both programs ask of the system: as many open files as they may have, wake-ups that are not put off, and a processor that the other
 * one is not on, since a program that waits for the other's processor does not measure what it means to. The server has the last one, and
 * where that is allowed nothing goes before it: its clock is the truth.
 */
#ifndef PROCESS_LIMITS_H
#define PROCESS_LIMITS_H

#include <sched.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static void prepare_process(bool is_server) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  prctl(PR_SET_TIMERSLACK, 1); /* nanoseconds; 50,000 by default */
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (processors < 2) return;
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(is_server ? processors - 1 : 0, &own);
  sched_setaffinity(0, sizeof own, &own);
  struct sched_param first = {.sched_priority = 1};
  if (is_server) sched_setscheduler(0, SCHED_FIFO, &first);
}

#endif
