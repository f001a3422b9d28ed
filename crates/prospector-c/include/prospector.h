/* Prospector version 1: one ship mines and trades in an asteroid belt.
 *
 * All calls are synchronous. One state belongs to one thread at a time; different states may be
 * used from different threads. No call allocates except prospector_create. A state is determined
 * by its settings, its seed and the actions since.
 *
 * Link with libprospector; the static library also needs -lpthread -ldl -lm on Linux.
 */
#ifndef ASTRARIUM_PROSPECTOR_H
#define ASTRARIUM_PROSPECTOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROSPECTOR_OBS_DIM 260
#define PROSPECTOR_N_ACTIONS 69

/* One ship in one episode; opaque. */
typedef struct prospector_state prospector_state;

/* A value of 0 or less means the default, so a penalty of zero cannot be asked for. */
typedef struct prospector_config {
    float time_max;               /* ticks until the episode is cut off; 20000 */
    float invalid_action_penalty; /* what an impossible action costs; 0.01 */
} prospector_config;

/* Everything one step reports: 1108 bytes. */
typedef struct prospector_result {
    float obs[PROSPECTOR_OBS_DIM];
    float reward;
    uint8_t terminated; /* destroyed, stranded or cashed out */
    uint8_t truncated;  /* out of time; never together with terminated */
    uint8_t invalid_action;
    uint8_t padding; /* always 0: equal results are equal bytes */
    uint16_t dt;     /* ticks the step took */
    int16_t action;  /* as resolved: 6 for an index of 69 or more, -1 after the end */
    float credits;
    float net_profit; /* credits less total spending, which counts spending twice */
    float profit_per_tick;
    float survival; /* 0 on the step that loses the ship, else 1 */
    float overheat_ticks;
    float pirate_encounters;
    float value_lost_to_pirates;
    float fuel_used;   /* net of refuelling */
    float hull_damage; /* net of repair */
    float tool_wear;   /* net of repair */
    float scan_count;
    float mining_ticks;
    float cargo_utilization_avg;
    float time_remaining;
} prospector_result;

#if defined(__cplusplus)
static_assert(sizeof(prospector_result) == 1108, "a result has 1108 bytes");
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(prospector_result) == 1108, "a result has 1108 bytes");
#endif

/* Fills in the default settings; null is ignored. */
void prospector_default_config(prospector_config *config);

/* Bytes and alignment of a state, for prospector_init. */
size_t prospector_state_size(void);
size_t prospector_state_align(void);

/* Allocates a state and begins the episode of `seed`. Null config: the defaults. Returns null when
 * out of memory. */
prospector_state *prospector_create(const prospector_config *config, uint64_t seed);

/* Frees what prospector_create returned, and nothing else; null is ignored. */
void prospector_destroy(prospector_state *handle);

/* Begins the episode of `seed` in memory the caller owns, whatever it held before. Null config: the
 * defaults; a null handle is ignored. Such a state holds nothing that must be freed. */
void prospector_init(prospector_state *handle, const prospector_config *config, uint64_t seed);

/* Begins the episode of `seed` with the settings kept; writes 260 floats unless obs is null. A null
 * handle is ignored. */
void prospector_reset(prospector_state *handle, uint64_t seed, float *obs);

/* Plays one action and overwrites the whole result; does nothing if either pointer is null.
 *
 * After the end of the episode nothing changes and nothing is drawn: the result has the final
 * observation and metrics, reward 0, terminated 1, truncated 0, invalid_action 1, dt 0, action -1,
 * and survival 1 whatever happened. */
void prospector_step(prospector_state *handle, uint8_t action, prospector_result *out);

/* prospector_reset(handles[i], seeds[i], obs + 260 * i) in index order. Null seeds: each state's
 * last seed. Null obs: not written. A null handles[i] is skipped, its row left alone. */
void prospector_reset_many(prospector_state *const *handles, const uint64_t *seeds, uint32_t n, float *obs);

/* prospector_step(handles[i], actions[i], out + i) in index order. Null actions: all hold (6). Null
 * out: stepped and discarded. A null handles[i] is skipped, its result left alone. */
void prospector_step_many(prospector_state *const *handles, const uint8_t *actions, uint32_t n, prospector_result *out);

#ifdef __cplusplus
}
#endif

#endif
