/*
 * A streaming server that knows the truth. It sends each token at a time that it planned, and logs for every request when the read
 * returned that completed it and when its first and its last token were handed to the kernel. One thread; every time is
 * CLOCK_MONOTONIC, which process.hrtime reads too.
 *
 *   truth-server [--first-us 50000] [--every-us 10000] [--tokens 64] [--stall-after-us A --stall-us S]
 *                [--keep-alive-us 5000000] [--keep-alive-requests 0]
 *
 * A request's own max_tokens goes before --tokens. --every-us 0 sends all tokens at once. A stall begins so long after the first request
 * came: nothing is read and nothing written while it lasts. An idle connection is closed after --keep-alive-us (0: never), a connection
 * after so many requests (0: any number).
 *
 * Standard output: `port N` first. A line `log` on standard input is answered by what ended since the last one, oldest first, in
 * nanoseconds: `r ID RECEIVED FIRST LAST TOKENS` a request, `s FROM TO` a stall, and `.` at the end. It leaves when standard input ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include "answer.h"
#include "bytes.h"
#include "due-heap.h"
#include "process-limits.h"
#include "truth-log.h"
#include "truth-options.h"

struct connection {
  struct planned planned; /* first: the heap's members are connections */
  int fd;
  bool streaming, closes, awaits_room;
  struct bytes in, out;
  struct request request;
  long rendered, answered;
  int64_t received_ns, first_ns, last_ns;
};

static int64_t stall_at_ns = INT64_MAX, stall_from_ns, stall_to_ns;
static long unnamed;
static int poller;

static void listen_for(struct connection *connection, bool room, int operation) {
  struct epoll_event event = {.events = EPOLLIN | (room ? (uint32_t)EPOLLOUT : 0), .data.ptr = connection};
  connection->awaits_room = room;
  epoll_ctl(poller, operation, connection->fd, &event);
}

static void hang_up(struct connection *connection) {
  heap_forget(&connection->planned);
  close(connection->fd);
  free(connection->in.data);
  free(connection->out.data);
  free(connection);
}

/* The answer is written whole. False: the connection is gone. */
static bool end_answer(struct connection *connection) {
  keep_entry(connection->request.id, (struct entry){.received_ns = connection->received_ns,
                                                    .first_ns = connection->first_ns,
                                                    .last_ns = connection->last_ns,
                                                    .tokens = connection->request.tokens});
  connection->streaming = false;
  connection->answered++;
  if (connection->closes) return hang_up(connection), false;
  if (keep_alive_us > 0) heap_plan(&connection->planned, connection->last_ns + keep_alive_us * 1000);
  return true;
}

/* Writes what is rendered, as far as the kernel takes it. False: the connection is gone. */
static bool flush_out(struct connection *connection) {
  while (bytes_left(&connection->out) > 0) {
    int64_t at_ns = now_ns();
    ssize_t written = write(connection->fd, connection->out.data + connection->out.from, bytes_left(&connection->out));
    if (written < 0 && errno == EAGAIN) {
      if (!connection->awaits_room) listen_for(connection, true, EPOLL_CTL_MOD);
      return true;
    }
    if (written < 0) return hang_up(connection), false;
    connection->out.from += (size_t)written;
    if (connection->rendered > 0 && connection->first_ns == 0) connection->first_ns = at_ns;
    connection->last_ns = at_ns;
  }
  if (connection->awaits_room) listen_for(connection, false, EPOLL_CTL_MOD);
  bool is_whole = connection->streaming && connection->rendered == connection->request.tokens;
  return is_whole ? end_answer(connection) : true;
}

/* Renders every token whose time has come, plans the next one, and writes. */
static void send_due(struct connection *connection, int64_t at_ns) {
  struct request *request = &connection->request;
  int64_t next_ns = connection->planned.due_ns;
  while (connection->rendered < request->tokens && next_ns <= at_ns) {
    add_token(&connection->out, request, ++connection->rendered);
    next_ns += every_us * 1000;
  }
  if (connection->rendered < request->tokens) heap_plan(&connection->planned, next_ns);
  else {
    heap_forget(&connection->planned);
    add_end(&connection->out, request);
  }
  flush_out(connection);
}

static void begin_answer(struct connection *connection, const char *head, const char *body, int64_t at_ns) {
  struct request *request = &connection->request;
  read_request(request, body, strstr(head, "/chat/") != NULL, tokens);
  const char *id = strcasestr(head, "x-request-id:");
  if (!id || sscanf(id + 13, " %79[!-~]", request->id) != 1) snprintf(request->id, ID_ROOM, "unnamed-%ld", ++unnamed);
  connection->closes = keep_alive_requests > 0 && connection->answered + 1 >= keep_alive_requests;
  connection->streaming = true;
  connection->rendered = 0;
  connection->received_ns = at_ns;
  connection->first_ns = connection->last_ns = 0;
  if (stall_us > 0 && stall_at_ns == INT64_MAX && stall_to_ns == 0) stall_at_ns = at_ns + stall_after_us * 1000;
  add_head(&connection->out, request, connection->closes);
  heap_plan(&connection->planned, at_ns + first_us * 1000);
}

static void begin_document(struct connection *connection, const char *head) {
  bool is_list = strncmp(head, "GET /v1/models", 14) == 0;
  bool is_known = is_list || strncmp(head, "GET /", 5) == 0;
  add_document(&connection->out, is_known ? 200 : 404,
               is_list ? "{\"object\":\"list\",\"data\":[{\"id\":\"truth\",\"object\":\"model\",\"created\":1,\"owned_by\":\"truth\","
                         "\"root\":\"truth\",\"max_model_len\":131072}]}"
                       : "{\"version\":\"1.0\"}");
}

/* Answers the request at the front of what was read, if it is whole. False: it is not, or the connection is gone. */
static bool take_request(struct connection *connection, int64_t at_ns) {
  struct bytes *in = &connection->in;
  if (connection->streaming || bytes_left(in) == 0) return false;
  char *head = in->data + in->from, *end = memmem(head, bytes_left(in), "\r\n\r\n", 4);
  if (!end) return false;
  *end = '\0';
  const char *length = strcasestr(head, "content-length:");
  size_t body = length ? (size_t)strtoul(length + 15, NULL, 10) : 0, whole = (size_t)(end + 4 - head) + body;
  if (bytes_left(in) < whole) return *end = '\r', false;
  char after = head[whole];
  head[whole] = '\0';
  if (strncmp(head, "POST /v1/", 9) == 0 && strstr(head, "/completions")) begin_answer(connection, head, end + 4, at_ns);
  else begin_document(connection, head);
  head[whole] = after;
  in->from += whole;
  return flush_out(connection);
}

static void read_in(struct connection *connection) {
  ssize_t got = read(connection->fd, bytes_reserve(&connection->in, 65536), 65536);
  int64_t at_ns = now_ns();
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) return hang_up(connection);
  connection->in.to += (size_t)got;
  while (take_request(connection, at_ns)) continue;
}

static void accept_all(int listener) {
  for (;;) {
    int one = 1, fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection) abort();
    connection->fd = fd;
    connection->planned.place = UNPLANNED;
    listen_for(connection, false, EPOLL_CTL_ADD);
  }
}

/* The parent's orders. False: it is gone. */
static bool obey(void) {
  char order[256];
  ssize_t got = read(STDIN_FILENO, order, sizeof order - 1);
  if (got <= 0) return false;
  print_entries();
  if (stall_to_ns > 0) printf("s %lld %lld\n", (long long)stall_from_ns, (long long)stall_to_ns);
  printf(".\n");
  fflush(stdout);
  return true;
}

static void stall(void) {
  struct timespec length = {stall_us / 1000000, stall_us % 1000000 * 1000};
  stall_at_ns = INT64_MAX;
  stall_from_ns = now_ns();
  nanosleep(&length, NULL);
  stall_to_ns = now_ns();
}

static void serve(int listener) {
  static struct epoll_event events[512];
  for (;;) {
    int64_t wake_ns = heap_size > 0 && heap[0]->due_ns < stall_at_ns ? heap[0]->due_ns : stall_at_ns;
    int64_t left_ns = wake_ns == INT64_MAX ? 1000000000 : wake_ns - now_ns();
    if (left_ns < 0) left_ns = 0;
    struct timespec timeout = {left_ns / 1000000000, left_ns % 1000000000};
    int count = epoll_pwait2(poller, events, 512, &timeout, NULL);
    for (int each = 0; each < count; each++) {
      struct connection *connection = events[each].data.ptr;
      if (events[each].data.ptr == &poller) accept_all(listener);
      else if (events[each].data.ptr == NULL) {
        if (!obey()) return;
      } else if (events[each].events & (EPOLLERR | EPOLLHUP)) hang_up(connection);
      else if (!(events[each].events & EPOLLOUT) || flush_out(connection)) {
        if (events[each].events & EPOLLIN) read_in(connection);
      }
    }
    int64_t at_ns = now_ns();
    if (at_ns >= stall_at_ns) {
      stall();
      /* What came meanwhile is read before connections are found idle for too long. */
      continue;
    }
    while (heap_size > 0 && heap[0]->due_ns <= at_ns) {
      struct connection *connection = (struct connection *)heap[0];
      if (connection->streaming) send_due(connection, at_ns);
      else hang_up(connection);
    }
  }
}

int main(int count, char **arguments) {
  for (int each = 1; each < count; each += 2) {
    if (each + 1 == count || !read_option(arguments[each], arguments[each + 1]))
      return fprintf(stderr, "truth-server: no option %s\n", arguments[each]), 2;
  }
  signal(SIGPIPE, SIG_IGN);
  prepare_process(true);
  poller = epoll_create1(EPOLL_CLOEXEC);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 4096)) return perror("truth-server"), 1;
  getsockname(listener, (struct sockaddr *)&address, &length);
  struct epoll_event incoming = {.events = EPOLLIN, .data.ptr = &poller}, orders = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &incoming);
  epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &orders);
  printf("port %d\n", ntohs(address.sin_port));
  fflush(stdout);
  serve(listener);
  return 0;
}
