#define _POSIX_C_SOURCE 200809L
#include "timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "names.h"

/* The length of the UTF-8 character at the head of text; 0 if there is none. A NUL ends every one. */
static size_t utf8_length(const unsigned char *text)
{
    unsigned char lowest = 0x80;
    unsigned char highest = 0xbf;
    size_t length;

    if (text[0] < 0x80)
        return 1;
    if (text[0] < 0xc2 || text[0] > 0xf4)
        return 0;
    length = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    if (text[0] == 0xe0)
        lowest = 0xa0; /* lower ones would have a shorter form */
    else if (text[0] == 0xed)
        highest = 0x9f; /* higher ones are surrogates */
    else if (text[0] == 0xf0)
        lowest = 0x90;
    else if (text[0] == 0xf4)
        highest = 0x8f; /* higher ones lie past the end of Unicode */
    if (text[1] < lowest || text[1] > highest)
        return 0;
    for (size_t i = 2; i < length; i++) {
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    }
    return length;
}

/* JSON is UTF-8; a path may be any bytes. What is no character becomes the replacement character. */
static void write_string(FILE *file, const char *string)
{
    const unsigned char *text = (const unsigned char *)string;

    putc('"', file);
    while (*text != '\0') {
        size_t length = utf8_length(text);

        if (length == 0) {
            fputs("\\ufffd", file);
            length = 1;
        } else if (*text < 0x20 || *text == 0x7f) {
            fprintf(file, "\\u%04x", (unsigned)*text);
        } else if (*text == '"' || *text == '\\') {
            fprintf(file, "\\%c", *text);
        } else {
            fwrite(text, 1, length, file);
        }
        text += length;
    }
    putc('"', file);
}

/* With the mutex held. */
static void begin_event(struct timeline *timeline)
{
    fputs(timeline->has_events ? ",\n" : "\n", timeline->file);
    timeline->has_events = true;
}

static void name_process(struct timeline *timeline, size_t batch_number)
{
    begin_event(timeline);
    fprintf(timeline->file,
            "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%zu,\"tid\":0,"
            "\"args\":{\"name\":\"coordinator %zu\"}}",
            batch_number, batch_number);
}

static void name_thread(struct timeline *timeline, size_t batch_number, size_t worker_number)
{
    begin_event(timeline);
    fprintf(timeline->file,
            "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%zu,\"tid\":%zu,"
            "\"args\":{\"name\":\"worker-%zu\"}}",
            batch_number, worker_number, worker_number);
}

bool timeline_open(struct timeline *timeline, const char *path)
{
    *timeline = (struct timeline){ .path = path };
    if (path == NULL)
        return true;
    timeline->file = fopen(path, "w");
    if (timeline->file == NULL) {
        complain(path, strerror(errno));
        return false;
    }
    pthread_mutex_init(&timeline->mutex, NULL);
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", timeline->file);
    return true;
}

void timeline_add_batch(struct timeline *timeline, size_t batch_number, size_t workers)
{
    if (timeline->file == NULL)
        return;
    pthread_mutex_lock(&timeline->mutex);
    name_process(timeline, batch_number);
    for (size_t i = 1; i <= workers; i++)
        name_thread(timeline, batch_number, i);
    pthread_mutex_unlock(&timeline->mutex);
}

void timeline_add_lease(struct timeline *timeline, const struct lease_span *span)
{
    const tvd_task_lease *lease = span->lease;

    if (timeline->file == NULL)
        return;
    pthread_mutex_lock(&timeline->mutex);
    begin_event(timeline);
    fputs("{\"name\":", timeline->file);
    write_string(timeline->file, span->path);
    fprintf(timeline->file,
            ",\"cat\":\"lease\",\"ph\":\"X\",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 ",\"pid\":%zu,\"tid\":%zu,"
            "\"args\":{\"task\":\"%s\",\"attempt\":%" PRIu32 ",\"outcome\":\"%s\",\"lease\":%" PRIu64
            ",\"worker_generation\":%" PRIu64 ",\"acquired_at_secs\":%" PRIu64 ",\"expires_at_secs\":%" PRIu64
            "}}",
            span->taken_at_us, span->ended_at_us - span->taken_at_us, span->batch_number, span->worker_number,
            tvd_task_lease_task_id(lease), tvd_task_lease_attempt(lease), span->outcome,
            tvd_task_lease_lease_id(lease), tvd_task_lease_worker_generation(lease),
            tvd_task_lease_acquired_at_secs(lease), tvd_task_lease_expires_at_secs(lease));
    pthread_mutex_unlock(&timeline->mutex);
}

bool timeline_close(struct timeline *timeline)
{
    bool written;

    if (timeline->file == NULL)
        return true;
    fputs("\n]}\n", timeline->file);
    written = ferror(timeline->file) == 0;
    if (fclose(timeline->file) != 0 || !written) {
        complain(timeline->path, "the timeline could not be written");
        written = false;
    }
    timeline->file = NULL;
    pthread_mutex_destroy(&timeline->mutex);
    return written;
}
