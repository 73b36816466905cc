/*
 * test_damage FILE...
 *
 * Damages recordings in every way a file can be damaged and expects the player to notice each time. All files must
 * agree as they are. The recording "deadline-second" must be among them: the list of edits below is about it.
 */
#include "player.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

static unsigned tried;
static unsigned missed;
static FILE *report;

static player_verdict play(const byte_buffer *file)
{
    player_totals totals = { 0 };

    return player_play("damaged", buffer_text(file), &totals, report);
}

static void miss(const char *name, const char *what, text about)
{
    missed++;
    printf("%s: not noticed: %s: %.*s\n", name, what, (int)(about.size < 300 ? about.size : 300), about.bytes);
}

static void expect_damaged(const char *name, const char *what, text about, const byte_buffer *file)
{
    tried++;
    if (play(file) != PLAYER_DAMAGED)
        miss(name, what, about);
}

static void expect_disagrees(const char *name, const char *what, text about, const byte_buffer *file)
{
    tried++;
    if (play(file) != PLAYER_DISAGREES)
        miss(name, what, about);
}

static void expect_no_pass(const char *name, const char *what, text about, const byte_buffer *file)
{
    tried++;
    if (play(file) == PLAYER_AGREES)
        miss(name, what, about);
}

/* Fills *out with the file, where the part (which lies in it) is replaced. */
static void replace(text file, text part, const void *bytes, size_t size, byte_buffer *out)
{
    size_t before = (size_t)(part.bytes - file.bytes);

    buffer_clear(out);
    buffer_append(out, file.bytes, before);
    buffer_append(out, bytes, size);
    buffer_append(out, part.bytes + part.size, file.size - before - part.size);
}

/* --- all over a file --------------------------------------------------------------------------------------- */

static void test_truncations(const char *name, text file, size_t distance)
{
    byte_buffer shorter = { 0 };

    for (size_t size = 0; size < file.size; size += distance) {
        buffer_clear(&shorter);
        buffer_append(&shorter, file.bytes, size);
        expect_damaged(name, "truncated", (text){ file.bytes, size }, &shorter);
    }
    buffer_free(&shorter);
}

static void test_nul_bytes(const char *name, text file, size_t distance)
{
    byte_buffer changed = { 0 };

    for (size_t i = 0; i < file.size; i += distance) {
        replace(file, (text){ file.bytes + i, 1 }, "", 1, &changed);
        expect_damaged(name, "NUL", (text){ file.bytes, i }, &changed);
    }
    buffer_free(&changed);
}

typedef void line_test(const char *name, text file, text line);

static void for_every_line(const char *name, text file, line_test *test)
{
    text rest = file;

    while (rest.size > 0)
        test(name, file, text_take_until(&rest, '\n'));
}

/* Without any one line a recording is not whole; only a remark, or "use", may be one too many. */
static void test_line_removed(const char *name, text file, text line)
{
    byte_buffer changed = { 0 };
    text with_newline = { line.bytes, line.size + 1 };

    if (line.bytes[0] == '#' || text_starts_with(line, "use "))
        return;
    replace(file, with_newline, "", 0, &changed);
    expect_no_pass(name, "a line is missing", line, &changed);
    buffer_free(&changed);
}

static void test_line_repeated(const char *name, text file, text line)
{
    byte_buffer changed = { 0 };
    text after = { line.bytes, 0 };

    if (line.bytes[0] == '#' || text_starts_with(line, "use "))
        return;
    replace(file, after, line.bytes, line.size + 1, &changed);
    expect_no_pass(name, "a line is there twice", line, &changed);
    buffer_free(&changed);
}

static void test_line_ends_otherwise(const char *name, text file, text line)
{
    static const char *const ends[] = { " ", "\r", " x", " x=1", "\t" };
    byte_buffer changed = { 0 };
    text end = { line.bytes + line.size, 0 };

    for (size_t i = 0; line.bytes[0] != '#' && i < sizeof ends / sizeof ends[0]; i++) {
        replace(file, end, ends[i], strlen(ends[i]), &changed);
        expect_no_pass(name, ends[i], line, &changed);
    }
    buffer_free(&changed);
}

static bool is_command(text line)
{
    return !memchr("#=|", line.bytes[0], 3) && !text_starts_with(line, "trace ") && !text_is(line, "end");
}

static void test_fields(const char *name, text file, text line)
{
    byte_buffer changed = { 0 };
    text rest = line;

    if (!is_command(line))
        return;
    text_take_until(&rest, ' ');
    while (rest.size > 0) {
        text field = text_take_until(&rest, ' ');
        text with_space = { field.bytes - 1, field.size + 1 };
        replace(file, with_space, "", 0, &changed);
        expect_damaged(name, "a field is missing", field, &changed);
        replace(file, (text){ with_space.bytes, 0 }, with_space.bytes, with_space.size, &changed);
        expect_damaged(name, "a repeated field", field, &changed);
        replace(file, (text){ field.bytes, 1 }, "x", 1, &changed);
        expect_damaged(name, "an unknown field", field, &changed);
    }
    buffer_free(&changed);
}

/* An accepted command with another revision would have been refused. */
static void test_revision_changed(const char *name, text file, text line)
{
    byte_buffer changed = { 0 };
    text rest = line;
    text command = text_take_until(&rest, ' ');
    text revision = text_take_until(&rest, ' ');
    const char *outcome = line.bytes + line.size + 1;

    if (!is_command(line) || !text_starts_with(revision, "rev=") || memcmp(outcome, "= ok", 4) != 0)
        return;
    for (size_t i = 4; i < revision.size; i++) {
        char digit = revision.bytes[i] == '9' ? '8' : (char)(revision.bytes[i] + 1);
        replace(file, (text){ revision.bytes + i, 1 }, &digit, 1, &changed);
        expect_disagrees(name, "another revision", command, &changed);
    }
    buffer_free(&changed);
}

/* Plays a file with one digit changed to another. */
static void test_digit_changed(const char *name, text file, const char *digit)
{
    byte_buffer changed = { 0 };
    char other = (char)('0' + (*digit - '0' + 1 + (digit - file.bytes) % 9) % 10);

    replace(file, (text){ digit, 1 }, &other, 1, &changed);
    expect_disagrees(name, "a changed digit", (text){ digit, 1 }, &changed);
    buffer_free(&changed);
}

static bool is_digit_of_outcome(text line, size_t at)
{
    return (line.bytes[0] == '=' || line.bytes[0] == '|') && line.bytes[at] >= '0' && line.bytes[at] <= '9';
}

static void test_digits_changed(const char *name, text file, text line)
{
    for (size_t i = 0; i < line.size; i++) {
        if (is_digit_of_outcome(line, i))
            test_digit_changed(name, file, line.bytes + i);
    }
}

/* A sample of the digits of outcomes all over a file. */
static void test_some_digits_changed(const char *name, text file, size_t samples)
{
    text rest = file;
    size_t distance = file.size / samples;
    const char *next = file.bytes;

    while (rest.size > 0) {
        text line = text_take_until(&rest, '\n');
        for (size_t i = 0; i < line.size; i++) {
            if (line.bytes + i >= next && is_digit_of_outcome(line, i)) {
                test_digit_changed(name, file, line.bytes + i);
                next = line.bytes + i + distance;
            }
        }
    }
}

/* --- edits ------------------------------------------------------------------------------------------------- */

/* One way of damaging the recording "deadline-second", and what the report must say then. */
typedef struct damage_edit {
    const char *what;
    const char *message;
    const char *find; /* Its first occurrence is replaced. */
    const char *replacement;
} damage_edit;

static const damage_edit edits[] = {
    { "no keyword of the format", "text outside a trace", "trace deadline-second\n", "hello\n" },
    { "a trace without a name", "without a proper name", "trace deadline-second\n", "trace\n" },
    { "a trace with an empty name", "without a proper name", "trace deadline-second\n", "trace \n" },
    { "a trace with two names", "without a proper name", "trace deadline-second\n", "trace deadline second\n" },
    { "a trace inside a trace", "before the one before it has ended", "limits max_task",
      "trace again\nlimits max_task" },
    { "text before the trace", "text outside a trace", "trace deadline-second\n",
      "dump\ntrace deadline-second\n" },
    { "text after end", "text outside a trace", "\nend\n", "\nend\ndump\n" },
    { "text on the line of end", "text after end", "\nend\n", "\nend x\n" },
    { "end twice", "text outside a trace", "\nend\n", "\nend\nend\n" },
    { "an empty line", "an empty line", "\npools", "\n\npools" },
    { "a line of one space", "an unknown command", "\npools", "\n \npools" },
    { "an indented line", "an unknown command", "\nregister_worker", "\n register_worker" },
    { "an unknown command", "an unknown command", "\nregister_worker", "\nregister_workers" },
    { "a command in capitals", "an unknown command", "\nregister_worker", "\nRegister_worker" },
    { "two spaces", "no key=value", "register_worker rev", "register_worker  rev" },
    { "a tab", "an unknown command", "register_worker rev", "register_worker\trev" },
    { "a field without a value", "no key=value", " now=0", " now" },
    { "an empty number", "a bad value", " now=0", " now=" },
    { "a negative number", "a bad value", " now=0", " now=-1" },
    { "a number with a sign", "a bad value", " now=0", " now=+0" },
    { "a number with a leading zero", "a bad value", " now=0", " now=00" },
    { "a hexadecimal number", "a bad value", " now=0", " now=0x0" },
    { "a number with a point", "a bad value", " now=0", " now=0.0" },
    { "an absent number", "a bad value", " now=0", " now=-" },
    { "an escaped number", "a bad value", " now=0", " now=%30" },
    { "2^64", "a bad value", " now=0", " now=18446744073709551616" },
    { "2^64 + 10", "a bad value", " now=0", " now=18446744073709551626" },
    { "a very long number", "a bad value", " now=0", " now=100000000000000000000000000000000000000" },
    { "a capacity of 2^32", "a bad value", " capacity=4", " capacity=4294967296" },
    { "no list of tags", "a bad value", " tags=-", " tags=" },
    { "an unknown tag", "a bad value", " tags=-", " tags=macos" },
    { "a repeated tag", "a bad value", " tags=-", " tags=gpu,gpu" },
    { "a list of tags with a hole", "a bad value", " tags=-", " tags=gpu,,linux" },
    { "a list of tags with no end", "a bad value", " tags=-", " tags=gpu," },
    { "no list of phases", "a bad value", " phases=-", " phases=" },
    { "a phase over 255", "a bad value", " phases=-", " phases=1,256" },
    { "a list of phases with no end", "a bad value", " phases=-", " phases=1," },
    { "an unknown priority", "a bad value", " priority=normal", " priority=urgent" },
    { "a numeric priority", "a bad value", " priority=normal", " priority=2" },
    { "no priority", "a bad value", " priority=normal", " priority=-" },
    { "a half escape", "a bad value", " target=ref", " target=re%4" },
    { "a bare percent sign", "a bad value", " target=ref", " target=ref%" },
    { "a bad escape", "a bad value", " target=ref", " target=ref%GG" },
    { "an escape in small letters", "a bad value", " target=ref", " target=ref%c3%a9" },
    { "a byte that wants an escape", "a bad value", " target=ref", " target=r+f" },
    { "a byte over 127", "a bad value", " target=ref", " target=r\xC3\xA9" },
    { "an equals sign in a value", "a bad value", " target=ref", " target=r=f" },
    { "a byte that wants an escape in an identifier", "a bad value", " scan=scan-1", " scan=scan,1" },
    { "a bad escape in an identifier", "a bad value", " scan=scan-1", " scan=%scan" },
    { "a token of no known letter", "a bad value", " lease=O0", " lease=X0" },
    { "a token without a number", "a bad value", " lease=O0", " lease=O" },
    { "a token without its letter", "a bad value", " lease=O0", " lease=0" },
    { "a receipt for a lease", "a bad value", " lease=O0", " lease=R0" },
    { "a token that has not appeared", "no ownership of this number", " lease=O0", " lease=O4" },
    { "a token of the largest number", "no ownership of this number", " lease=O0",
      " lease=O18446744073709551615" },
    { "a token of a number over 2^64", "a bad value", " lease=O0", " lease=O18446744073709551616" },
    { "a fence for a lease", "the token is no lease", "\ndump\n",
      "\nownership task=B\n= ok task id=B scan=scan-1 target=ref phases=- status=queued priority=normal "
      "created_at=0 started_at=- completed_at=- retry_count=1 attempt=1 task_generation=1 record_version=4 "
      "assigned_to=- lease_id=- ownership=O4\nstart_task rev=14 now=30 lease=O4\n= ok\ndump\n" },
    { "a token of another trace", "no ownership of this number", "\nend\n",
      "\nend\ntrace next\nlimits max_task_records=16 max_active_tasks=8 max_queued_tasks=8 "
      "max_terminal_tasks=16 max_workers=4 max_retries=2 max_lease_ttl_secs=1000 max_task_ttl_secs=3600 "
      "heartbeat_timeout_secs=60\npools count=1\nstart_task rev=0 now=0 lease=O0\n= ok\nend\n" },
    { "an outcome without its word", "of no known kind", "\n= ok rev=1 ", "\n= rev=1 " },
    { "an outcome of an unknown word", "of no known kind", "\n= ok rev=1 ", "\n= yes rev=1 " },
    { "an outcome without its space", "of no known kind", "\n= ok rev=1 ", "\n=ok rev=1 " },
    { "a bare outcome", "of no known kind", "\n= ok rev=1 ", "\n=\n= ok rev=1 " },
    { "an outcome twice", "an outcome without a command", "\n= ok rev=1 ", "\n= ok rev=1\n= ok rev=1 " },
    { "an outcome of a setup line", "an outcome without a command", "\npools count=1\n",
      "\npools count=1\n= ok\n" },
    { "an outcome that is a remark", "a command without an outcome", "\n= ok rev=1 ", "\n#= ok rev=1 " },
    { "a dump line after another command", "a dump line without a dump", "\nassign_task ",
      "\n| task id=A\nassign_task " },
    { "a dump line after a setup line", "a dump line without a dump", "\nregister_worker ",
      "\n| task id=A\nregister_worker " },
    { "a dump line before the outcome", "a command without an outcome", "\n= ok snapshot",
      "\n| task id=A\n= ok snapshot" },
    { "no pools", "no such number of pools", "\npools count=1", "\npools count=0" },
    { "too many pools", "no such number of pools", "\npools count=1", "\npools count=1000" },
    { "pools twice", "the pools are there already", "\npools count=1", "\npools count=1\npools count=1" },
    { "pools before their limits", "pools without limits", "\nlimits max_task",
      "\npools count=1\nlimits max_task" },
    { "a pool that is not there", "there is no such pool", "\npools count=1\n",
      "\npools count=1\nuse pool=1\n" },
    { "a command before the pools", "the setup line that this command needs", "\npools count=1\n",
      "\npeek_next\n= none\npools count=1\n" },
    { "a result command before its limits", "the setup line that this command needs", "\nresult_limits ",
      "\nget_result task=A\n= none\nresult_limits " },
    { "limits twice", "the limits are set already", "\npools ",
      "\nlimits max_task_records=16 max_active_tasks=8 max_queued_tasks=8 max_terminal_tasks=16 max_workers=4 "
      "max_retries=2 max_lease_ttl_secs=1000 max_task_ttl_secs=3600 heartbeat_timeout_secs=60\npools " },
    { "limits that creation refuses", "no pool can have these limits", "max_task_records=16",
      "max_task_records=100000" },
    { "result limits that creation refuses", "no result aggregator can have these limits", "max_results=1024",
      "max_results=100000" },
    { "an item too few", "count is not the number of items", "\ndump\n",
      "\naggregate_results count=2 task=A\n= ok count=0\ndump\n" },
    { "an item too many", "count is not the number of items", "\ndump\n",
      "\naggregate_results count=0 task=A\n= ok count=0\ndump\n" },
    { "an aggregate without a count", "a field is missing", "\ndump\n",
      "\naggregate_results task=A\n= ok count=0\ndump\n" },
    { "an odd number of hex digits", "a bad value", "\ndump\n",
      "\nstore_result rev=0 receipt=R0 bytes=a\n= ok rev=1 stored\ndump\n" },
    { "hex in capitals", "a bad value", "\ndump\n",
      "\nstore_result rev=0 receipt=R0 bytes=AA\n= ok rev=1 stored\ndump\n" },
    { "no hex", "a bad value", "\ndump\n",
      "\nstore_result rev=0 receipt=R0 bytes=xx\n= ok rev=1 stored\ndump\n" },
    { "a receipt that has not appeared", "no receipt of this number", "\ndump\n",
      "\nstore_result rev=0 receipt=R1 bytes=\n= ok rev=1 stored\ndump\n" },
    { "a lease for a receipt", "a bad value", "\ndump\n",
      "\nstore_result rev=0 receipt=O0 bytes=\n= ok rev=1 stored\ndump\n" },
};

static const char *find(text file, const char *wanted)
{
    size_t size = strlen(wanted);

    for (size_t i = 0; i + size <= file.size; i++) {
        if (memcmp(file.bytes + i, wanted, size) == 0)
            return file.bytes + i;
    }
    return NULL;
}

static size_t count_newlines(const char *bytes, size_t size)
{
    size_t count = 0;

    for (size_t i = 0; i < size; i++)
        count += bytes[i] == '\n';
    return count;
}

/* Whether the report names the fault, and a line that the edit has touched. */
static bool is_reported(const damage_edit *edit, text file, const char *found, const char *said)
{
    size_t first = 1 + count_newlines(file.bytes, (size_t)(found - file.bytes));
    size_t last = first + count_newlines(edit->replacement, strlen(edit->replacement));
    size_t line = 0;

    return sscanf(said, "damaged:%zu: damaged: ", &line) == 1 && line >= first && line <= last &&
           strstr(said, edit->message);
}

static void test_edit(const char *name, text file, const damage_edit *edit)
{
    byte_buffer changed = { 0 };
    char *said = NULL;
    size_t said_size = 0;
    const char *found = find(file, edit->find);
    player_totals totals = { 0 };

    tried++;
    if (!found) {
        miss(name, "there is nothing to edit", text_of(edit->find));
        return;
    }
    replace(file, (text){ found, strlen(edit->find) }, edit->replacement, strlen(edit->replacement), &changed);
    FILE *memory = open_memstream(&said, &said_size);
    player_verdict verdict = player_play("damaged", buffer_text(&changed), &totals, memory);
    fclose(memory);
    if (verdict != PLAYER_DAMAGED || totals.damaged_files != 1 || !is_reported(edit, file, found, said)) {
        miss(name, edit->what, text_of(edit->replacement));
        printf("  it was said: %s\n", said);
    }
    free(said);
    buffer_free(&changed);
}

static void test_edits(const char *name, text file)
{
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++)
        test_edit(name, file, &edits[i]);
}

/* --- the program ------------------------------------------------------------------------------------------- */

static bool read_file(const char *name, byte_buffer *contents)
{
    FILE *file = fopen(name, "rb");
    int byte;

    if (!file)
        return false;
    while ((byte = getc(file)) != EOF) {
        char next = (char)byte;
        buffer_append(contents, &next, 1);
    }
    fclose(file);
    return true;
}

/* Everything is done to the short recordings, and to the edited one at each byte; a sample of it to the long ones. */
static void test_file(const char *name, text file)
{
    bool is_edited = strstr(name, "deadline-second") != NULL;

    if (file.size > 20000) {
        test_some_digits_changed(name, file, 20);
        return;
    }
    for_every_line(name, file, test_line_removed);
    for_every_line(name, file, test_line_repeated);
    for_every_line(name, file, test_line_ends_otherwise);
    for_every_line(name, file, test_fields);
    for_every_line(name, file, test_revision_changed);
    for_every_line(name, file, test_digits_changed);
    test_truncations(name, file, is_edited ? 1 : 13);
    test_nul_bytes(name, file, is_edited ? 1 : 13);
    if (is_edited)
        test_edits(name, file);
}

int main(int argc, char **argv)
{
    bool has_edited = false;

    report = fopen("/dev/null", "w");
    if (!report)
        return 2;
    for (int i = 1; i < argc; i++) {
        byte_buffer contents = { 0 };
        if (!read_file(argv[i], &contents) || play(&contents) != PLAYER_AGREES) {
            printf("%s: does not agree undamaged\n", argv[i]);
            missed++;
        } else {
            test_file(argv[i], buffer_text(&contents));
        }
        has_edited = has_edited || strstr(argv[i], "deadline-second");
        buffer_free(&contents);
    }
    fclose(report);
    printf("%u damaged files, %u not noticed\n", tried, missed);
    return has_edited && missed == 0 ? 0 : 1;
}
