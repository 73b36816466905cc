/* Tokens: the model's view of the library's, through the getters, and the alterations that make bad tokens of good
 * ones. Only the alterations write private members, which no host may. */
#include "prng.h"
#include "session.h"

#include <string.h>

void token_view_lease(const tvd_task_lease *lease, model_lease *view)
{
    strcpy(view->task_id, tvd_task_lease_task_id(lease));
    strcpy(view->worker_id, tvd_task_lease_worker_id(lease));
    view->worker_generation = tvd_task_lease_worker_generation(lease);
    view->task_generation = tvd_task_lease_task_generation(lease);
    view->attempt = tvd_task_lease_attempt(lease);
    view->lease_id = tvd_task_lease_lease_id(lease);
    view->acquired_at = tvd_task_lease_acquired_at_secs(lease);
    view->expires_at = tvd_task_lease_expires_at_secs(lease);
}

void token_view_ownership(const tvd_task_ownership *ownership, model_ownership *view)
{
    view->kind = tvd_task_ownership_kind(ownership);
    if (view->kind == TVD_OWNERSHIP_LEASE)
        token_view_lease(tvd_task_ownership_lease(ownership), &view->lease);
    if (view->kind != TVD_OWNERSHIP_QUEUED_FENCE)
        return;
    const tvd_queued_task_fence *fence = tvd_task_ownership_fence(ownership);
    strcpy(view->fence.task_id, tvd_queued_task_fence_task_id(fence));
    view->fence.task_generation = tvd_queued_task_fence_task_generation(fence);
    view->fence.record_version = tvd_queued_task_fence_record_version(fence);
}

void token_view_receipt(const tvd_completion_receipt *receipt, model_receipt *view)
{
    strcpy(view->task_id, tvd_completion_receipt_task_id(receipt));
    strcpy(view->worker_id, tvd_completion_receipt_worker_id(receipt));
    view->task_generation = tvd_completion_receipt_task_generation(receipt);
    view->attempt = tvd_completion_receipt_attempt(receipt);
    view->lease_id = tvd_completion_receipt_lease_id(receipt);
    view->worker_generation = tvd_completion_receipt_worker_generation(receipt);
    view->record_version = tvd_completion_receipt_record_version(receipt);
}

static void fill_random(prng *random, void *memory, size_t size)
{
    unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)prng_next(random);
}

/* One more or one less. */
static void step(prng *random, uint64_t *value)
{
    *value += prng_percent(random, 50) ? 1 : UINT64_MAX;
}

static void step32(prng *random, uint32_t *value)
{
    *value += prng_percent(random, 50) ? 1 : UINT32_MAX;
}

static void change_last_byte(prng *random, char *identifier)
{
    size_t length = strlen(identifier);
    if (length > 0)
        identifier[length - 1] = (char)('a' + prng_below(random, 26));
}

static void replace_identifier(prng *random, char *identifier)
{
    static const char *const others[] = { "", "nobody", "t0", "w0", "not safe", "\xff\xfe" };
    memset(identifier, 0, MODEL_ID_SIZE);
    strcpy(identifier, others[prng_below(random, sizeof others / sizeof others[0])]);
}

/* Valid bytes up to the end of the array, so that only the missing NUL is wrong. */
static void remove_end(char *identifier)
{
    memset(identifier + strlen(identifier), 'x', MODEL_ID_SIZE - strlen(identifier));
}

static void fill_tail(prng *random, char *identifier)
{
    size_t used = strlen(identifier) + 1;
    fill_random(random, identifier + used, MODEL_ID_SIZE - used);
}

static void alter_lease_field(prng *random, tvd_task_lease *lease)
{
    switch (prng_below(random, 8)) {
    case 0:
        change_last_byte(random, lease->private_task_id);
        break;
    case 1:
        change_last_byte(random, lease->private_worker_id);
        break;
    case 2:
        step(random, &lease->private_worker_generation);
        break;
    case 3:
        step(random, &lease->private_task_generation);
        break;
    case 4:
        step32(random, &lease->private_attempt);
        break;
    case 5:
        step(random, &lease->private_lease_id);
        break;
    case 6:
        step(random, &lease->private_acquired_at_secs);
        break;
    default:
        step(random, &lease->private_expires_at_secs);
        break;
    }
}

static void alter_fence_field(prng *random, tvd_queued_task_fence *fence)
{
    switch (prng_below(random, 3)) {
    case 0:
        change_last_byte(random, fence->private_task_id);
        break;
    case 1:
        step(random, &fence->private_task_generation);
        break;
    default:
        step(random, &fence->private_record_version);
        break;
    }
}

static void alter_receipt_field(prng *random, tvd_completion_receipt *receipt)
{
    switch (prng_below(random, 7)) {
    case 0:
        change_last_byte(random, receipt->private_task_id);
        break;
    case 1:
        change_last_byte(random, receipt->private_worker_id);
        break;
    case 2:
        step(random, &receipt->private_worker_generation);
        break;
    case 3:
        step(random, &receipt->private_task_generation);
        break;
    case 4:
        step32(random, &receipt->private_attempt);
        break;
    case 5:
        step(random, &receipt->private_lease_id);
        break;
    default:
        step(random, &receipt->private_record_version);
        break;
    }
}

static void alter_lease(const token_ref *ref, tvd_task_lease *lease)
{
    prng random = { ref->seed };
    bool first = prng_percent(&random, 70);
    char *identifier = first ? lease->private_task_id : lease->private_worker_id;
    if (ref->alteration == ALTERATION_FIELD) {
        alter_lease_field(&random, lease);
    } else if (ref->alteration == ALTERATION_TAIL) {
        fill_tail(&random, lease->private_task_id);
        fill_tail(&random, lease->private_worker_id);
        lease->private_hint = (uint32_t)(prng_next(&random) >> (prng_percent(&random, 50) ? 62 : 32));
        fill_random(&random, lease->private_zero, sizeof lease->private_zero);
    } else if (ref->alteration == ALTERATION_IDENTIFIER) {
        replace_identifier(&random, identifier);
    } else if (ref->alteration == ALTERATION_UNTERMINATED) {
        remove_end(identifier);
    } else if (ref->alteration == ALTERATION_RANDOM) {
        fill_random(&random, lease, sizeof *lease);
    }
}

static void alter_fence(const token_ref *ref, tvd_queued_task_fence *fence)
{
    prng random = { ref->seed };
    if (ref->alteration == ALTERATION_FIELD) {
        alter_fence_field(&random, fence);
    } else if (ref->alteration == ALTERATION_TAIL) {
        fill_tail(&random, fence->private_task_id);
        fence->private_hint = (uint32_t)(prng_next(&random) >> (prng_percent(&random, 50) ? 62 : 32));
        fill_random(&random, fence->private_zero, sizeof fence->private_zero);
    } else if (ref->alteration == ALTERATION_IDENTIFIER) {
        replace_identifier(&random, fence->private_task_id);
    } else if (ref->alteration == ALTERATION_UNTERMINATED) {
        remove_end(fence->private_task_id);
    } else if (ref->alteration == ALTERATION_RANDOM) {
        fill_random(&random, fence, sizeof *fence);
    }
}

static void alter_ownership(const token_ref *ref, tvd_task_ownership *ownership)
{
    static const uint64_t unknown_kinds[] = { 0, 3, (uint64_t)1 << 32 | 1, (uint64_t)1 << 32 | 2, UINT64_MAX };
    bool is_fence = ownership->private_kind == TVD_OWNERSHIP_QUEUED_FENCE;
    if (ref->alteration == ALTERATION_ZERO)
        memset(&ownership->private_token, 0, sizeof ownership->private_token);
    else if (ref->alteration == ALTERATION_KIND)
        ownership->private_kind = unknown_kinds[ref->seed % (sizeof unknown_kinds / sizeof unknown_kinds[0])];
    else if (is_fence)
        alter_fence(ref, &ownership->private_token.private_fence);
    else
        alter_lease(ref, &ownership->private_token.private_lease);
}

static void alter_receipt(const token_ref *ref, tvd_completion_receipt *receipt)
{
    prng random = { ref->seed };
    bool first = prng_percent(&random, 50);
    char *identifier = first ? receipt->private_task_id : receipt->private_worker_id;
    if (ref->alteration == ALTERATION_FIELD) {
        alter_receipt_field(&random, receipt);
    } else if (ref->alteration == ALTERATION_TAIL) {
        fill_tail(&random, receipt->private_task_id);
        fill_tail(&random, receipt->private_worker_id);
        fill_random(&random, receipt->private_zero, sizeof receipt->private_zero);
    } else if (ref->alteration == ALTERATION_IDENTIFIER) {
        replace_identifier(&random, identifier);
    } else if (ref->alteration == ALTERATION_UNTERMINATED) {
        remove_end(identifier);
    } else if (ref->alteration == ALTERATION_ZERO) {
        memset(receipt, 0, sizeof *receipt);
    } else if (ref->alteration == ALTERATION_RANDOM) {
        fill_random(&random, receipt, sizeof *receipt);
    }
}

static bool takes_token(operation op)
{
    return op == OP_START_TASK || op == OP_COMPLETE_TASK || op == OP_FAIL_TASK || op == OP_CANCEL_TASK ||
           op == OP_STORE_RESULT;
}

static void lift_out(const command *c, resolved_token *t)
{
    t->ownership.private_kind =
        c->op == OP_CANCEL_TASK && c->token.seed % 2 == 0 ? TVD_OWNERSHIP_QUEUED_FENCE : TVD_OWNERSHIP_LEASE;
}

/* Finds the token that a command names and alters it as the command says. False if there is none of its kind. */
bool token_resolve(const session *s, const command *c, resolved_token *t)
{
    if (!takes_token(c->op))
        return true;
    const token *given = session_find_token(s, c->token.serial);
    memset(t, 0, sizeof *t);
    if (c->token.serial == 0) {
        lift_out(c, t);
    } else if (given == NULL || given->is_receipt != (c->op == OP_STORE_RESULT)) {
        return false;
    } else {
        t->ownership = given->ownership;
        t->receipt = given->receipt;
    }
    if (c->op == OP_STORE_RESULT) {
        alter_receipt(&c->token, &t->receipt);
        token_view_receipt(&t->receipt, &t->model_receipt);
        return true;
    }
    bool is_lease = tvd_task_ownership_kind(&t->ownership) == TVD_OWNERSHIP_LEASE;
    if (c->op != OP_CANCEL_TASK && !is_lease)
        return false;
    alter_ownership(&c->token, &t->ownership);
    if (is_lease)
        t->lease = t->ownership.private_token.private_lease;
    token_view_ownership(&t->ownership, &t->model_ownership);
    if (is_lease)
        token_view_lease(&t->lease, &t->model_ownership.lease);
    return true;
}
