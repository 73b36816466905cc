#include "names.h"

#include <stdbool.h>
#include <string.h>

static bool is_printable(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x7f;
}

static void write_escape(FILE *out, unsigned char byte)
{
    static const char letters[] = "abtnvfr"; /* for the bytes 7 to 13 */

    if (byte >= 7 && byte <= 13)
        fprintf(out, "\\%c", letters[byte - 7]);
    else
        fprintf(out, "\\%03o", (unsigned)byte);
}

/* 'text' with $'...' around what is not printable, which a shell reads back as the same bytes. */
static void write_quoted(FILE *out, const char *path)
{
    bool escaping = false;

    putc('\'', out);
    for (; *path != '\0'; path++) {
        unsigned char byte = (unsigned char)*path;

        if (!is_printable(byte)) {
            if (!escaping)
                fputs("'$'", out);
            escaping = true;
            write_escape(out, byte);
            continue;
        }
        if (byte == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, "%s%c", escaping ? "''" : "", byte);
        escaping = false;
    }
    putc('\'', out);
}

void write_path(FILE *out, const char *path)
{
    if (strchr(path, '\n') != NULL)
        write_quoted(out, path);
    else
        fputs(path, out);
}

static bool is_plain(const char *path)
{
    for (; *path != '\0'; path++) {
        if (!is_printable((unsigned char)*path))
            return false;
    }
    return true;
}

void complain(const char *path, const char *what)
{
    fputs("file_scan: ", stderr);
    if (is_plain(path))
        fputs(path, stderr);
    else
        write_quoted(stderr, path);
    fprintf(stderr, ": %s\n", what);
}
