#include "damage.h"

#include <string.h>

uint64_t damage_member(void *member, size_t size, uint64_t value)
{
    uint64_t old;

    switch (size) {
    case sizeof(uint8_t):
        old = *(uint8_t *)member;
        *(uint8_t *)member = (uint8_t)value;
        return old;
    case sizeof(uint16_t):
        old = *(uint16_t *)member;
        *(uint16_t *)member = (uint16_t)value;
        return old;
    case sizeof(uint32_t):
        old = *(uint32_t *)member;
        *(uint32_t *)member = (uint32_t)value;
        return old;
    default:
        assert_int_equal(size, sizeof(uint64_t));
        memcpy(&old, member, sizeof old);
        memcpy(member, &value, sizeof value);
        return old;
    }
}
