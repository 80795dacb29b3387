/* What both programs ask of the system: as many open files as they may have, and wake-ups that are not put off. */
#ifndef PROCESS_LIMITS_H
#define PROCESS_LIMITS_H

#include <sys/prctl.h>
#include <sys/resource.h>

static void prepare_process(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  prctl(PR_SET_TIMERSLACK, 1); /* nanoseconds; 50,000 by default */
}

#endif
