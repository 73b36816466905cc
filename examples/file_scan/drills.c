#include "drills.h"

/* The finaliser of splitmix64: every bit of the input reaches every bit of the output. */
static uint64_t mix(uint64_t value)
{
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

enum drill drill_of(const struct options *options, uint64_t file_number, uint32_t attempt)
{
    uint64_t stall_roll = mix(mix(mix(options->seed) ^ file_number) ^ attempt);
    uint64_t fail_roll = mix(stall_roll);

    if (stall_roll % 100 < options->stall_percent)
        return DRILL_STALL;
    return fail_roll % 100 < options->fail_percent ? DRILL_FAIL : DRILL_NONE;
}
