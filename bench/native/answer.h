/* What an OpenAI-like engine answers: the request's fields, and server-sent events in the shape and length of vLLM's. */
#ifndef ANSWER_H
#define ANSWER_H

#include <stdbool.h>
#include <stdio.h>
#include "bytes.h"

#define ID_ROOM 80

struct request {
  char id[ID_ROOM];
  bool chat, token_ids, usage, continuous;
  long prompt_tokens, tokens;
};

/* The number (or true, as 1) that follows a key of a JSON text, or `otherwise`. */
static long json_field(const char *body, const char *key, long otherwise) {
  const char *at = strstr(body, key);
  if (!at) return otherwise;
  at += strlen(key);
  while (*at == ' ' || *at == ':') at++;
  if (!strncmp(at, "true", 4)) return 1;
  char *end;
  long value = strtol(at, &end, 10);
  return end == at ? otherwise : value;
}

/* Token ids of a prompt that is a list of them; else its words, roughly. */
static long count_prompt(const char *body) {
  const char *at = strstr(body, "\"prompt\":");
  bool is_list = false;
  if (at) {
    at += strlen("\"prompt\":");
    while (*at == ' ') at++;
    is_list = *at == '[';
  }
  long count = 1;
  for (const char *each = at ? at + 1 : body; *each && *each != (is_list ? ']' : '\0'); each++)
    count += *each == (is_list ? ',' : ' ');
  return count;
}

static void read_request(struct request *request, const char *body, bool chat, long tokens_otherwise) {
  request->chat = chat;
  request->tokens = json_field(body, "\"max_completion_tokens\"", json_field(body, "\"max_tokens\"", tokens_otherwise));
  if (request->tokens < 1) request->tokens = 1;
  request->token_ids = json_field(body, "\"return_token_ids\"", 0) == 1;
  request->usage = json_field(body, "\"include_usage\"", 0) == 1;
  request->continuous = json_field(body, "\"continuous_usage_stats\"", 0) == 1;
  request->prompt_tokens = count_prompt(body);
}

static char *put_text(char *to, const char *text, size_t length) {
  memcpy(to, text, length);
  return to + length;
}
#define PUT(to, literal) put_text(to, literal, sizeof(literal) - 1)

static char *put_number(char *to, long value) {
  char digits[24];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + value % 10);
  while (value /= 10);
  return put_text(to, digits + at, sizeof digits - at);
}

static char *put_usage(char *to, const struct request *request, long done) {
  to = put_number(PUT(to, "\"usage\":{\"prompt_tokens\":"), request->prompt_tokens);
  to = put_number(PUT(to, ",\"total_tokens\":"), request->prompt_tokens + done);
  to = put_number(PUT(to, ",\"completion_tokens\":"), done);
  return PUT(to, "}");
}

/* Everything of an event before its choices. */
static char *put_envelope(char *to, const struct request *request) {
  to = request->chat ? PUT(to, "{\"id\":\"chatcmpl-") : PUT(to, "{\"id\":\"cmpl-");
  to = put_text(to, request->id, strlen(request->id));
  to = request->chat ? PUT(to, "\",\"object\":\"chat.completion.chunk\"") : PUT(to, "\",\"object\":\"text_completion\"");
  return PUT(to, ",\"created\":1795974580,\"model\":\"truth\",\"choices\":[");
}

/* One HTTP chunk that holds one event, as uvicorn sends them. */
static void add_event(struct bytes *out, const char *json, size_t length) {
  size_t whole = length + sizeof "data: \n\n" - 1;
  char *to = bytes_reserve(out, whole + 24), *start = to;
  char digits[16];
  size_t at = sizeof digits;
  for (size_t left = whole; left; left /= 16) digits[--at] = "0123456789abcdef"[left % 16];
  to = PUT(put_text(to, digits + at, sizeof digits - at), "\r\ndata: ");
  to = PUT(put_text(to, json, length), "\n\n\r\n");
  out->to += (size_t)(to - start);
}

/* The answer's head, and for chat the role, which comes ahead of every token. */
static void add_head(struct bytes *out, const struct request *request, bool closes) {
  static const char head[] = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n";
  bytes_add(out, head, sizeof head - 1);
  if (closes) bytes_add(out, "connection: close\r\n", 19);
  bytes_add(out, "transfer-encoding: chunked\r\n\r\n", 30);
  if (!request->chat) return;
  char json[512], *to = put_envelope(json, request);
  to = PUT(to, "{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"logprobs\":null,\"finish_reason\":null}]");
  if (request->continuous) to = put_usage(PUT(to, ","), request, 0);
  to = PUT(to, "}");
  add_event(out, json, (size_t)(to - json));
}

/* The event of token `number`, from 1. */
static void add_token(struct bytes *out, const struct request *request, long number) {
  char json[1024], *to = put_envelope(json, request);
  bool last = number == request->tokens;
  to = request->chat ? PUT(to, "{\"index\":0,\"delta\":{\"content\":\" w") : PUT(to, "{\"index\":0,\"text\":\" w");
  to = put_number(to, number % 1000);
  to = request->chat ? PUT(to, "\"},\"logprobs\":null,\"finish_reason\":") : PUT(to, "\",\"logprobs\":null,\"finish_reason\":");
  to = last ? PUT(to, "\"length\"") : PUT(to, "null");
  to = PUT(to, ",\"stop_reason\":null");
  if (request->token_ids) {
    to = PUT(to, ",\"token_ids\":[");
    to = PUT(put_number(to, 1000 + number % 1000), "]");
  }
  to = PUT(to, "}]");
  if (request->continuous) to = put_usage(PUT(to, ","), request, number);
  to = PUT(to, "}");
  add_event(out, json, (size_t)(to - json));
}

static void add_end(struct bytes *out, const struct request *request) {
  if (request->usage) {
    char json[512], *to = PUT(put_envelope(json, request), "],");
    to = PUT(put_usage(to, request, request->tokens), "}");
    add_event(out, json, (size_t)(to - json));
  }
  add_event(out, "[DONE]", 6);
  bytes_add(out, "0\r\n\r\n", 5);
}

/* An answer that is no stream: what clients ask before they begin. */
static void add_document(struct bytes *out, int status, const char *json) {
  char head[160];
  int length = snprintf(head, sizeof head, "HTTP/1.1 %d %s\r\ncontent-type: application/json\r\ncontent-length: %zu\r\n\r\n",
                        status, status == 200 ? "OK" : "Refused", strlen(json));
  bytes_add(out, head, (size_t)length);
  bytes_add(out, json, strlen(json));
}

#endif
