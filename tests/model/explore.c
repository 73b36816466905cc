/*
 * The search. A state is known by its canonical key and reached again by playing its path on fresh copies of the
 * start, so every state is the work of public commands alone. At a state every command is applied; after each, the
 * library's memory and the model are put back by copying.
 */
#include "explore.h"

#include "arena.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_PATH = 200,
    SERIALS_PER_STEP = 4 /* The command itself, then an ownership of each task. */
};

typedef struct node {
    uint32_t parent;
    uint16_t depth;
    move arrival;
    unsigned char key[WORLD_KEY_BYTES];
} node;

typedef struct search {
    const world *w;
    session s;
    arena memory;
    arena_image images[2]; /* The start, and the state at hand. */
    model *models[2];
    size_t token_count; /* Of the state at hand. */
    node *nodes;
    size_t node_count;
    size_t node_capacity;
    uint32_t *table; /* Node numbers plus one, by hash of the key; a power of two. */
    size_t table_size;
    uint64_t most_states;
    exploration *result;
    run_record *record;
    outcome expected;
    outcome actual;
} search;

enum { START, HERE };

static void save(search *x, unsigned image)
{
    arena_save(&x->memory, &x->images[image]);
    model_assign(x->models[image], x->s.pools[0].m);
    if (image == HERE)
        x->token_count = x->s.token_count;
}

static void restore(search *x, unsigned image)
{
    arena_restore(&x->memory, &x->images[image]);
    model_assign(x->s.pools[0].m, x->models[image]);
    x->s.token_count = image == HERE ? x->token_count : 0;
}

static uint64_t hash_key(const unsigned char *key)
{
    uint64_t hash = 0;
    for (unsigned i = 0; i < WORLD_KEY_BYTES; i += 8) {
        uint64_t part;
        memcpy(&part, key + i, 8);
        hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* The place of a key in the table: of the node that has it, or free. */
static size_t find_place(const search *x, const unsigned char *key)
{
    size_t place = (size_t)hash_key(key) & (x->table_size - 1);
    while (x->table[place] != 0 && memcmp(x->nodes[x->table[place] - 1].key, key, WORLD_KEY_BYTES) != 0)
        place = (place + 1) & (x->table_size - 1);
    return place;
}

static void *grow(void *memory, size_t count, size_t size)
{
    void *grown = realloc(memory, count * size);
    if (grown == NULL)
        abort();
    return grown;
}

static void rebuild_table(search *x)
{
    x->table_size = x->table_size == 0 ? 1 << 12 : x->table_size * 2;
    free(x->table);
    x->table = calloc(x->table_size, sizeof *x->table);
    if (x->table == NULL)
        abort();
    for (size_t i = 0; i < x->node_count; i++)
        x->table[find_place(x, x->nodes[i].key)] = (uint32_t)(i + 1);
}

/* Makes the model's state a node, if it is a new one. */
static void visit(search *x, uint32_t parent, const move *arrival)
{
    unsigned char key[WORLD_KEY_BYTES];
    world_key(x->w, x->s.pools[0].m, key);
    if (x->node_count * 2 >= x->table_size)
        rebuild_table(x);
    size_t place = find_place(x, key);
    if (x->table[place] != 0)
        return;
    unsigned depth = x->node_count == 0 ? 0 : x->nodes[parent].depth + 1u;
    if (x->node_count >= x->most_states || depth >= MAX_PATH) {
        x->result->is_complete = false;
        return;
    }
    if (x->node_count == x->node_capacity) {
        x->node_capacity = x->node_capacity * 2 + 1024;
        x->nodes = grow(x->nodes, x->node_capacity, sizeof *x->nodes);
    }
    node *added = &x->nodes[x->node_count++];
    added->parent = parent;
    added->depth = (uint16_t)depth;
    added->arrival = *arrival;
    memcpy(added->key, key, sizeof key);
    x->table[place] = (uint32_t)x->node_count;
    if (depth > x->result->depth)
        x->result->depth = depth;
}

/* Plays a command on both sides and notes it, so that a failure can be told. */
static bool play(search *x, const command *c)
{
    run_record *record = x->record;
    record->commands[record->count] = *c;
    record->count += 1;
    verdict v = session_play(&x->s, c, &x->expected, &x->actual, record->why, sizeof record->why);
    outcome_release(&x->expected);
    outcome_release(&x->actual);
    return v == VERDICT_AGREE;
}

static bool has_fence(const search *x, const model_task *task)
{
    for (size_t i = 0; i < x->s.token_count; i++) {
        const tvd_queued_task_fence *fence = tvd_task_ownership_fence(&x->s.tokens[i].ownership);
        if (fence != NULL && strcmp(tvd_queued_task_fence_task_id(fence), task->seen.task_id) == 0 &&
            tvd_queued_task_fence_record_version(fence) == task->seen.record_version)
            return true;
    }
    return false;
}

/* Asks for the fence of each queued task that was not asked before. */
static bool take_fences(search *x, uint32_t serial)
{
    const model *m = x->s.pools[0].m;
    for (size_t i = 0; i < m->task_count; i++) {
        const model_task *task = &m->tasks[i];
        unsigned index = (unsigned)(task->seen.task_id[1] - '1');
        if (task->seen.status != TVD_TASK_STATUS_QUEUED || has_fence(x, task))
            continue;
        command c = world_ownership(x->w, index, serial + 1 + index);
        if (!play(x, &c))
            return false;
    }
    return true;
}

/* Plays the path from the start to a node, which becomes the state at hand. */
static bool go_to(search *x, uint32_t number)
{
    move path[MAX_PATH];
    unsigned length = x->nodes[number].depth;
    uint32_t at = number;
    for (unsigned i = length; i > 0; i--) {
        path[i - 1] = x->nodes[at].arrival;
        at = x->nodes[at].parent;
    }
    restore(x, START);
    x->record->count = 0;
    for (unsigned i = 0; i < length; i++) {
        uint32_t serial = 1 + i * SERIALS_PER_STEP;
        command c = world_command(x->w, &x->s, &path[i], serial);
        if (!play(x, &c) || !take_fences(x, serial))
            return false;
    }
    unsigned char key[WORLD_KEY_BYTES];
    world_key(x->w, x->s.pools[0].m, key);
    if (memcmp(key, x->nodes[number].key, sizeof key) != 0) {
        snprintf(x->record->why, sizeof x->record->why, "the same path led to another state");
        return false;
    }
    save(x, HERE);
    return true;
}

/* After a command that was refused, or a replay: not one byte of the coordinator should differ. If some do (a scratch
 * field of the library, perhaps), then at least nothing that can be seen; and the search goes on with them, so that
 * they can do their harm. */
static bool nothing_changed(search *x, bool was_replay)
{
    bool same_bytes = arena_equals(&x->memory, &x->images[HERE]);
    if (same_bytes && !was_replay)
        return true;
    if (!same_bytes) {
        x->result->touching += 1;
        arena_save(&x->memory, &x->images[HERE]);
    }
    return state_agrees(&x->s, 0, x->record->why, sizeof x->record->why) &&
           invariants_hold(&x->s, x->record->why, sizeof x->record->why);
}

static bool apply(search *x, uint32_t number, const move *m, size_t path_length)
{
    run_record *record = x->record;
    uint64_t before = x->models[HERE]->revision;
    command c = world_command(x->w, &x->s, m, 1u + x->nodes[number].depth * SERIALS_PER_STEP);
    record->count = path_length;
    x->result->transitions += 1;
    if (!play(x, &c))
        return false;
    if (x->s.pools[0].m->revision == before) {
        if (!nothing_changed(x, x->expected.error.status == TVD_OK))
            return false;
        x->s.token_count = x->token_count;
        return true;
    }
    x->result->accepted += 1;
    if (!state_agrees(&x->s, 0, record->why, sizeof record->why) ||
        !invariants_hold(&x->s, record->why, sizeof record->why))
        return false;
    visit(x, number, m);
    restore(x, HERE);
    return true;
}

static bool expand(search *x, uint32_t number)
{
    static move moves[WORLD_MAX_MOVES];
    if (!go_to(x, number))
        return false;
    size_t path_length = x->record->count;
    unsigned count = world_moves(x->w, &x->s, moves);
    for (unsigned i = 0; i < count; i++) {
        if (!apply(x, number, &moves[i], path_length))
            return false;
    }
    return true;
}

static bool open_search(search *x, model_fault fault)
{
    if (!arena_open(&x->memory, x->images, 2))
        return false;
    tvd_allocator allocator = arena_allocator(&x->memory);
    session_options options = world_options(x->w, fault, &allocator);
    if (!session_open(&x->s, &options))
        return false;
    x->record->options = options;
    x->record->options.allocator = NULL; /* A repetition counts memory instead. */
    x->models[START] = model_clone(x->s.pools[0].m);
    x->models[HERE] = model_clone(x->s.pools[0].m);
    save(x, START);
    return true;
}

static void close_search(search *x)
{
    restore(x, START);
    (void)session_close(&x->s);
    model_free(x->models[START]);
    model_free(x->models[HERE]);
    arena_close(&x->memory, x->images, 2);
    free(x->nodes);
    free(x->table);
    free(x);
}

bool explore(const world *w, model_fault fault, uint64_t most_states, exploration *result, run_record *record)
{
    search *x = calloc(1, sizeof *x);
    if (x == NULL)
        return false;
    x->w = w;
    x->most_states = most_states;
    x->result = result;
    x->record = record;
    memset(result, 0, sizeof *result);
    result->is_complete = true;
    record->is_big = false;
    record->failed = !open_search(x, fault);
    const move none = { .op = OP_COUNT };
    if (!record->failed)
        visit(x, 0, &none);
    for (uint32_t next = 0; !record->failed && next < x->node_count; next++)
        record->failed = !expand(x, next);
    result->states = x->node_count;
    close_search(x);
    return !record->failed;
}
