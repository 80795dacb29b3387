/*
 * The least that a client can do, so that what is left of its error is the machine's: one thread, epoll, connections opened ahead and kept
 * alive, requests rendered before the clock starts, each sent at its due time whatever has become of the others.
 *
 *   floor --port P --arrivals FILE --connections N [--in-flight N]
 *
 * FILE has a line `ID DUE_US TOKENS` a request, by due time; the first one's may be negative. With --in-flight due times are ignored and
 * so many requests are kept in flight. Standard output, in nanoseconds of CLOCK_MONOTONIC: `ID DUE SENT FIRST LAST EVENTS` a request, in
 * order of ending, then `end CPU WALL OPENED`: the process's CPU time and the time from the first request on, and the connections that
 * were opened after it. Sent is read just before the write, first and last after the read that brought the event's blank line.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include "bytes.h"
#include "process-limits.h"

#define LEAD_NS 100000000LL
/* Nothing ends for so long: something is broken. */
#define GIVE_UP_NS 60000000000LL
#define MOST_PARTIAL 4096

struct job {
  char id[80];
  int64_t due_ns, sent_ns, first_ns, last_ns;
  long tokens, events;
  char *bytes;
  size_t length;
};

struct connection {
  int fd;
  struct job *job; /* NULL while it is idle */
  bool event_open; /* a token event's line was read, its blank line not yet */
  size_t partial;
  char line[MOST_PARTIAL];
};

static struct job *jobs, **ended;
static size_t job_count, next_job, ended_count, in_flight;
static struct connection **idle;
static size_t idle_count, idle_room;
static int port, poller;
static long opened;

static void fail(const char *what) {
  fprintf(stderr, "floor: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
  exit(1);
}

static void render(struct job *job) {
  static const char *body_format = "{\"prompt\":[1000,1001,1002,1003,1004,1005,1006,1007,1008,1009,1010,1011,1012,1013,1014,1015,1016,1017,"
                                   "1018,1019,1020,1021,1022,1023],\"model\":\"truth\",\"stream\":true,\"temperature\":0,\"max_tokens\":%ld,"
                                   "\"ignore_eos\":true,\"return_token_ids\":true,"
                                   "\"stream_options\":{\"include_usage\":true,\"continuous_usage_stats\":true}}";
  char body[1024];
  int body_length = snprintf(body, sizeof body, body_format, job->tokens);
  int length = asprintf(&job->bytes,
                        "POST /v1/completions HTTP/1.1\r\nhost: 127.0.0.1:%d\r\nconnection: keep-alive\r\ncontent-type: application/json\r\n"
                        "accept: text/event-stream\r\naccept-encoding: identity\r\nx-request-id: %s\r\ncontent-length: %d\r\n\r\n%s",
                        port, job->id, body_length, body);
  if (length < 0) fail("no memory");
  job->length = (size_t)length;
}

static void read_arrivals(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  struct job job = {0};
  long long due_us;
  size_t room = 0;
  while (fscanf(file, "%79s %lld %ld", job.id, &due_us, &job.tokens) == 3) {
    if (job_count == room) {
      room = room ? room * 2 : 1024;
      jobs = realloc(jobs, room * sizeof *jobs);
      if (!jobs) fail("no memory");
    }
    job.due_ns = due_us * 1000;
    jobs[job_count++] = job;
  }
  fclose(file);
  if (job_count == 0) fail("no arrivals");
  ended = calloc(job_count, sizeof *ended);
  for (size_t each = 0; each < job_count; each++) render(&jobs[each]);
}

static struct connection *open_connection(void) {
  struct connection *connection = calloc(1, sizeof *connection);
  if (!connection) fail("no memory");
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  connection->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection->fd < 0 || connect(connection->fd, (struct sockaddr *)&address, sizeof address)) fail("cannot connect");
  int one = 1;
  setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  fcntl(connection->fd, F_SETFL, O_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  epoll_ctl(poller, EPOLL_CTL_ADD, connection->fd, &event);
  return connection;
}

static void put_idle(struct connection *connection) {
  if (idle_count == idle_room) {
    idle_room = idle_room ? idle_room * 2 : 256;
    idle = realloc(idle, idle_room * sizeof *idle);
    if (!idle) fail("no memory");
  }
  idle[idle_count++] = connection;
}

/* The one that was used last and is still open: a server closes what is idle for long. */
static struct connection *take_idle(void) {
  while (idle_count > 0) {
    struct connection *connection = idle[--idle_count];
    if (connection->fd >= 0) return connection;
    free(connection);
  }
  opened++;
  return open_connection();
}

static void send_next(void) {
  struct job *job = &jobs[next_job++];
  struct connection *connection = take_idle();
  connection->job = job;
  connection->event_open = false;
  connection->partial = 0;
  in_flight++;
  job->sent_ns = now_ns();
  if (write(connection->fd, job->bytes, job->length) != (ssize_t)job->length) fail("a request was not written at once");
}

/* One line of an answer without its newline; chunk sizes, headers and comments pass. True: the answer is whole. */
static bool take_line(struct connection *connection, const char *line, size_t length, int64_t at_ns) {
  struct job *job = connection->job;
  if (length == 0) {
    if (!connection->event_open) return false;
    connection->event_open = false;
    if (job->events++ == 0) job->first_ns = at_ns;
    job->last_ns = at_ns;
  } else if (length > 6 && memcmp(line, "data: ", 6) == 0) {
    if (line[6] == '[') return true;
    connection->event_open = memmem(line, length, "\"choices\":[{", 12) && !memmem(line, length, "\"role\":", 7);
  } else if (length > 12 && memcmp(line, "HTTP/1.1 ", 9) == 0 && memcmp(line + 9, "200", 3) != 0) {
    errno = 0;
    fail("a request was not answered by 200");
  }
  return false;
}

static void end_job(struct connection *connection) {
  ended[ended_count++] = connection->job;
  connection->job = NULL;
  connection->partial = 0;
  in_flight--;
  put_idle(connection);
}

static void read_in(struct connection *connection) {
  static char buffer[1 << 18];
  size_t kept = connection->partial;
  memcpy(buffer, connection->line, kept);
  ssize_t got = read(connection->fd, buffer + kept, sizeof buffer - kept);
  int64_t at_ns = now_ns();
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) {
    if (connection->job) fail("a connection was closed in an answer");
    close(connection->fd);
    connection->fd = -1;
    return;
  }
  const char *line = buffer, *end = buffer + kept + got, *stop;
  while (connection->job && (stop = memchr(line, '\n', (size_t)(end - line)))) {
    if (take_line(connection, line, (size_t)(stop - line), at_ns)) return end_job(connection);
    line = stop + 1;
  }
  connection->partial = connection->job ? (size_t)(end - line) : 0;
  if (connection->partial > MOST_PARTIAL) fail("a line is too long");
  memcpy(connection->line, line, connection->partial);
}

static void run(size_t most_in_flight) {
  static struct epoll_event events[512];
  int64_t heard_ns = now_ns();
  while (ended_count < job_count) {
    int64_t left_ns = 1000000000;
    if (most_in_flight > 0) {
      while (next_job < job_count && in_flight < most_in_flight) send_next();
    } else if (next_job < job_count) {
      while (next_job < job_count && (left_ns = jobs[next_job].due_ns - now_ns()) <= 0) send_next();
      if (left_ns <= 0) left_ns = 1000000000;
    }
    struct timespec timeout = {left_ns / 1000000000, left_ns % 1000000000};
    int count = epoll_pwait2(poller, events, 512, &timeout, NULL);
    for (int each = 0; each < count; each++) read_in(events[each].data.ptr);
    if (count > 0 || in_flight == 0) heard_ns = now_ns();
    errno = 0;
    if (now_ns() - heard_ns > GIVE_UP_NS) fail("nothing came for a minute");
  }
}

static int64_t cpu_ns(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * 1000000000LL + used.tv_nsec;
}

int main(int count, char **arguments) {
  const char *arrivals = NULL;
  size_t ahead = 0, most_in_flight = 0;
  for (int each = 1; each + 1 < count; each += 2) {
    const char *name = arguments[each], *value = arguments[each + 1];
    if (!strcmp(name, "--port")) port = atoi(value);
    else if (!strcmp(name, "--arrivals")) arrivals = value;
    else if (!strcmp(name, "--connections")) ahead = strtoul(value, NULL, 10);
    else if (!strcmp(name, "--in-flight")) most_in_flight = strtoul(value, NULL, 10);
    else return fprintf(stderr, "floor: no option %s\n", name), 2;
  }
  if (!port || !arrivals) return fprintf(stderr, "floor: --port and --arrivals are needed\n"), 2;
  prepare_process(false);
  poller = epoll_create1(EPOLL_CLOEXEC);
  read_arrivals(arrivals);
  for (size_t each = 0; each < ahead; each++) put_idle(open_connection());
  int64_t began_cpu_ns = cpu_ns(), began_ns = now_ns(), origin_ns = began_ns + LEAD_NS - jobs[0].due_ns;
  for (size_t each = 0; each < job_count; each++) jobs[each].due_ns += origin_ns;
  run(most_in_flight);
  int64_t ended_cpu_ns = cpu_ns(), ended_ns = now_ns();
  for (size_t each = 0; each < job_count; each++) {
    const struct job *job = ended[each];
    printf("%s %lld %lld %lld %lld %ld\n", job->id, (long long)job->due_ns, (long long)job->sent_ns, (long long)job->first_ns,
           (long long)job->last_ns, job->events);
  }
  printf("end %lld %lld %ld\n", (long long)(ended_cpu_ns - began_cpu_ns), (long long)(ended_ns - jobs[0].sent_ns), opened);
  return 0;
}
