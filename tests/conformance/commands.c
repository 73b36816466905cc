#include "commands.h"

static const char limit_keys[] = "max_task_records max_active_tasks max_queued_tasks max_terminal_tasks "
                                 "max_workers max_retries max_lease_ttl_secs max_task_ttl_secs "
                                 "heartbeat_timeout_secs";
static const char result_limit_keys[] =
    "max_results max_result_bytes max_total_bytes max_aggregate_items max_aggregate_bytes";

static const command commands[] = {
    { "limits", limit_keys, COMMAND_SETUP, play_limits },
    { "result_limits", result_limit_keys, COMMAND_SETUP, play_result_limits },
    { "pools", "count", COMMAND_SETUP, play_pools },
    { "use", "pool", COMMAND_SETUP, play_use },
    { "try_limits", limit_keys, COMMAND_TRIAL, play_try_limits },
    { "try_result_limits", result_limit_keys, COMMAND_TRIAL, play_try_result_limits },

    { "register_worker", "rev now worker capacity cpu memory network tags", COMMAND_POOL,
      play_register_worker },
    { "reactivate_worker", "rev now worker generation capacity cpu memory network tags", COMMAND_POOL,
      play_reactivate_worker },
    { "update_worker", "rev now worker generation status cpu memory network", COMMAND_POOL,
      play_update_worker },
    { "get_available_worker", "now", COMMAND_POOL, play_get_available_worker },
    { "get_worker", "worker", COMMAND_POOL, play_get_worker },

    { "enqueue", "rev now task scan target phases priority", COMMAND_POOL, play_enqueue },
    { "get_task", "task", COMMAND_POOL, play_get_task },
    { "peek_next", "", COMMAND_POOL, play_peek_next },
    { "ownership", "task", COMMAND_POOL, play_ownership },
    { "assign_task", "rev now task worker ttl", COMMAND_POOL, play_assign_task },
    { "assign_next", "rev now worker ttl", COMMAND_POOL, play_assign_next },
    { "assign_next_available", "rev now ttl", COMMAND_POOL, play_assign_next_available },

    { "start_task", "rev now lease", COMMAND_POOL, play_start_task },
    { "complete_task", "rev now lease", COMMAND_POOL, play_complete_task },
    { "fail_task", "rev now lease", COMMAND_POOL, play_fail_task },
    { "cancel_task", "rev now ownership", COMMAND_POOL, play_cancel_task },

    { "recover_expired_leases", "rev now", COMMAND_POOL, play_recover_expired_leases },
    { "deregister_worker", "rev now worker generation", COMMAND_POOL, play_deregister_worker },
    { "prune_dead_workers", "rev now", COMMAND_POOL, play_prune_dead_workers },
    { "expire_old_tasks", "rev now ttl", COMMAND_POOL, play_expire_old_tasks },

    { "store_result", "rev receipt bytes", COMMAND_RESULT, play_store_result },
    { "aggregate_results", "count task*", COMMAND_RESULT, play_aggregate_results },
    { "get_result", "task", COMMAND_RESULT, play_get_result },
    { "result_totals", "", COMMAND_RESULT, play_result_totals },

    { "dump", "", COMMAND_DUMP, play_dump },
};

const command *command_find(text name)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (text_is(name, commands[i].name))
            return &commands[i];
    }
    return NULL;
}
