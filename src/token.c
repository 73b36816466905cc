/*
 * Tokens seen from outside: getters that no garbage can lead astray, and ownership. The library's own side, making
 * tokens from records and comparing the two, is in task.c and aggregator.c.
 */
#include "termivar/distributed.h"

#include <string.h>

/* Without padding, a token whose members are all written is the same to the last byte in every coordinator. */
_Static_assert(sizeof(tvd_task_lease) == 568, "a lease has padding");
_Static_assert(sizeof(tvd_queued_task_fence) == 280, "a fence has padding");
_Static_assert(sizeof(tvd_task_ownership) == 576, "an ownership has padding");
_Static_assert(sizeof(tvd_completion_receipt) == 552, "a receipt has padding");

/* A garbage token's text may have no end. */
static const char *text_of(const char field[TVD_MAX_IDENTIFIER_BYTES + 1])
{
    return memchr(field, '\0', TVD_MAX_IDENTIFIER_BYTES + 1) == NULL ? "" : field;
}

const char *tvd_task_lease_task_id(const tvd_task_lease *lease)
{
    return lease == NULL ? "" : text_of(lease->private_task_id);
}

const char *tvd_task_lease_worker_id(const tvd_task_lease *lease)
{
    return lease == NULL ? "" : text_of(lease->private_worker_id);
}

uint64_t tvd_task_lease_worker_generation(const tvd_task_lease *lease)
{
    return lease == NULL ? 0 : lease->private_worker_generation;
}

uint64_t tvd_task_lease_task_generation(const tvd_task_lease *lease)
{
    return lease == NULL ? 0 : lease->private_task_generation;
}

uint32_t tvd_task_lease_attempt(const tvd_task_lease *lease)
{
    return lease == NULL ? 0 : lease->private_attempt;
}

uint64_t tvd_task_lease_lease_id(const tvd_task_lease *lease)
{
    return lease == NULL ? 0 : lease->private_lease_id;
}

uint64_t tvd_task_lease_acquired_at_secs(const tvd_task_lease *lease)
{
    return lease == NULL ? 0 : lease->private_acquired_at_secs;
}

uint64_t tvd_task_lease_expires_at_secs(const tvd_task_lease *lease)
{
    return lease == NULL ? 0 : lease->private_expires_at_secs;
}

const char *tvd_queued_task_fence_task_id(const tvd_queued_task_fence *fence)
{
    return fence == NULL ? "" : text_of(fence->private_task_id);
}

uint64_t tvd_queued_task_fence_task_generation(const tvd_queued_task_fence *fence)
{
    return fence == NULL ? 0 : fence->private_task_generation;
}

uint64_t tvd_queued_task_fence_record_version(const tvd_queued_task_fence *fence)
{
    return fence == NULL ? 0 : fence->private_record_version;
}

const char *tvd_completion_receipt_task_id(const tvd_completion_receipt *receipt)
{
    return receipt == NULL ? "" : text_of(receipt->private_task_id);
}

const char *tvd_completion_receipt_worker_id(const tvd_completion_receipt *receipt)
{
    return receipt == NULL ? "" : text_of(receipt->private_worker_id);
}

uint64_t tvd_completion_receipt_worker_generation(const tvd_completion_receipt *receipt)
{
    return receipt == NULL ? 0 : receipt->private_worker_generation;
}

uint64_t tvd_completion_receipt_task_generation(const tvd_completion_receipt *receipt)
{
    return receipt == NULL ? 0 : receipt->private_task_generation;
}

uint32_t tvd_completion_receipt_attempt(const tvd_completion_receipt *receipt)
{
    return receipt == NULL ? 0 : receipt->private_attempt;
}

uint64_t tvd_completion_receipt_lease_id(const tvd_completion_receipt *receipt)
{
    return receipt == NULL ? 0 : receipt->private_lease_id;
}

uint64_t tvd_completion_receipt_record_version(const tvd_completion_receipt *receipt)
{
    return receipt == NULL ? 0 : receipt->private_record_version;
}

tvd_task_ownership tvd_task_ownership_from_lease(const tvd_task_lease *lease)
{
    tvd_task_ownership ownership;

    memset(&ownership, 0, sizeof ownership);
    if (lease != NULL) {
        ownership.private_kind = TVD_OWNERSHIP_LEASE;
        memcpy(&ownership.private_token, lease, sizeof *lease); /* keeps the rest zero */
    }
    return ownership;
}

tvd_task_ownership tvd_task_ownership_from_fence(const tvd_queued_task_fence *fence)
{
    tvd_task_ownership ownership;

    memset(&ownership, 0, sizeof ownership);
    if (fence != NULL) {
        ownership.private_kind = TVD_OWNERSHIP_QUEUED_FENCE;
        memcpy(&ownership.private_token, fence, sizeof *fence); /* keeps the rest zero */
    }
    return ownership;
}

tvd_ownership_kind tvd_task_ownership_kind(const tvd_task_ownership *ownership)
{
    if (tvd_task_ownership_fence(ownership) != NULL)
        return TVD_OWNERSHIP_QUEUED_FENCE;
    if (tvd_task_ownership_lease(ownership) != NULL)
        return TVD_OWNERSHIP_LEASE;
    return TVD_OWNERSHIP_NONE;
}

const tvd_queued_task_fence *tvd_task_ownership_fence(const tvd_task_ownership *ownership)
{
    if (ownership == NULL || ownership->private_kind != TVD_OWNERSHIP_QUEUED_FENCE)
        return NULL;
    return &ownership->private_token.private_fence;
}

const tvd_task_lease *tvd_task_ownership_lease(const tvd_task_ownership *ownership)
{
    if (ownership == NULL || ownership->private_kind != TVD_OWNERSHIP_LEASE)
        return NULL;
    return &ownership->private_token.private_lease;
}

/* The report comes from the host, so that its identifiers are copied as fields of bytes. */
static tvd_task_ownership fence_of(const tvd_task *task)
{
    tvd_queued_task_fence fence;

    memset(&fence, 0, sizeof fence);
    fence.private_task_generation = task->task_generation;
    fence.private_record_version = task->record_version;
    fence.private_hint = task->private_hint;
    memcpy(fence.private_task_id, task->task_id, sizeof fence.private_task_id);
    return tvd_task_ownership_from_fence(&fence);
}

static tvd_task_ownership lease_of(const tvd_task *task)
{
    tvd_task_lease lease;

    memset(&lease, 0, sizeof lease);
    lease.private_worker_generation = task->lease_worker_generation;
    lease.private_task_generation = task->task_generation;
    lease.private_lease_id = task->lease_id;
    lease.private_acquired_at_secs = task->lease_acquired_at_secs;
    lease.private_expires_at_secs = task->lease_expires_at_secs;
    lease.private_attempt = task->attempt;
    lease.private_hint = task->private_hint;
    memcpy(lease.private_task_id, task->task_id, sizeof lease.private_task_id);
    memcpy(lease.private_worker_id, task->assigned_to, sizeof lease.private_worker_id);
    return tvd_task_ownership_from_lease(&lease);
}

bool tvd_task_ownership_of(const tvd_task *task, tvd_task_ownership *ownership)
{
    if (task == NULL || ownership == NULL)
        return false;
    switch (task->status) {
    case TVD_TASK_STATUS_QUEUED:
        *ownership = fence_of(task);
        return true;
    case TVD_TASK_STATUS_LEASED:
    case TVD_TASK_STATUS_RUNNING:
        *ownership = lease_of(task);
        return true;
    case TVD_TASK_STATUS_COMPLETED:
    case TVD_TASK_STATUS_FAILED:
    case TVD_TASK_STATUS_CANCELLED:
    case TVD_TASK_STATUS_EXPIRED:
        break;
    }
    return false;
}
