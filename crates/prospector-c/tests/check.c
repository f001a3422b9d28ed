/* Uses the library as a C program would. Without arguments: every check, exit status 1 and a line
 * per failure. With "layout": one "field offset size" line per field, for the test that compares
 * them with the Rust side. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prospector.h"

static int failures = 0;

#define CHECK(condition)                                               \
    do {                                                               \
        if (!(condition)) {                                            \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);    \
            failures++;                                                \
        }                                                              \
    } while (0)

#define STATES 32
#define STEPS 400

/* A small generator of its own: rand() differs between C libraries. */
static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void check_published_values(void) {
    static const uint8_t actions[] = {6, 8, 0, 12, 10, 28, 29, 30, 33, 68};
    static const float rewards[] = {-0.001f,       -0.012999999f, -0.18767929f,  -0.021923615f,
                                    -0.31736314f,  -0.023623507f, -0.022996876f, -0.714034f,
                                    -0.050964706f, -0.023561783f};
    static const uint16_t ticks[] = {1, 3, 4, 1, 4, 1, 1, 1, 2, 1};
    prospector_state *ship = prospector_create(NULL, 42);
    CHECK(ship != NULL);
    for (size_t i = 0; i < sizeof actions; i++) {
        prospector_result result;
        memset(&result, 0xff, sizeof result);
        prospector_step(ship, actions[i], &result);
        CHECK(result.reward == rewards[i]);
        CHECK(result.dt == ticks[i]);
        CHECK(result.action == actions[i]);
        CHECK(result.invalid_action == 0 && result.truncated == 0 && result.padding == 0);
        CHECK(result.terminated == (actions[i] == 68));
    }
    prospector_destroy(ship);
}

static void check_after_the_end(void) {
    prospector_config config = {12.0f, 0.0f};
    prospector_state *ship = prospector_create(&config, 9);
    prospector_result last, after;
    do {
        prospector_step(ship, 11, &last);
    } while (!last.terminated && !last.truncated);
    CHECK(last.truncated == 1 && last.terminated == 0 && last.time_remaining == 0.0f);
    for (int again = 0; again < 2; again++) {
        memset(&after, 0xff, sizeof after);
        prospector_step(ship, 29, &after);
        CHECK(memcmp(after.obs, last.obs, sizeof last.obs) == 0);
        CHECK(after.reward == 0.0f && after.terminated == 1 && after.truncated == 0);
        CHECK(after.invalid_action == 1 && after.dt == 0 && after.action == -1);
        CHECK(after.survival == 1.0f && after.padding == 0);
        size_t from = offsetof(prospector_result, overheat_ticks);
        CHECK(memcmp((char *)&after + from, (char *)&last + from, sizeof last - from) == 0);
    }
    prospector_reset(ship, 9, NULL);
    prospector_step(ship, 69, &after);
    CHECK(after.action == 6 && after.invalid_action == 1 && after.dt == 1);
    /* The penalty of 0 became the default; the budget stayed. */
    CHECK(after.reward < -0.01f && after.time_remaining == 11.0f);
    prospector_destroy(ship);
}

/* A wreck reads survival 0 once and 1 from then on. */
static void check_survival_forgets(void) {
    prospector_state *ship = prospector_create(NULL, 5);
    prospector_result result;
    memset(&result, 0, sizeof result);
    while (!result.terminated) {
        prospector_step(ship, 0, &result); /* away from the station until something gives */
    }
    CHECK(result.survival == 0.0f);
    prospector_step(ship, 0, &result);
    CHECK(result.survival == 1.0f && result.terminated == 1);
    prospector_destroy(ship);
}

static void check_nulls(void) {
    prospector_config config;
    prospector_default_config(NULL);
    prospector_default_config(&config);
    CHECK(config.time_max == 20000.0f && config.invalid_action_penalty == 0.01f);
    prospector_destroy(NULL);
    prospector_init(NULL, &config, 1);
    prospector_reset(NULL, 1, NULL);
    prospector_reset_many(NULL, NULL, 3, NULL);
    prospector_step_many(NULL, NULL, 3, NULL);

    prospector_result result, untouched;
    memset(&result, 0xab, sizeof result);
    memset(&untouched, 0xab, sizeof untouched);
    prospector_step(NULL, 6, &result);
    CHECK(memcmp(&result, &untouched, sizeof result) == 0);
    float row[PROSPECTOR_OBS_DIM];
    memset(row, 0xab, sizeof row);
    prospector_reset(NULL, 1, row);
    CHECK(memcmp(row, &untouched, sizeof row) == 0);

    /* A step without a result does not happen. */
    prospector_state *a = prospector_create(&config, 3), *b = prospector_create(NULL, 3);
    prospector_result after_a, after_b;
    prospector_step(a, 29, NULL);
    prospector_step(a, 8, &after_a);
    prospector_step(b, 8, &after_b);
    CHECK(memcmp(&after_a, &after_b, sizeof after_a) == 0);
    prospector_destroy(a);
    prospector_destroy(b);
}

static void check_many_skips_nulls(void) {
    prospector_state *ship = prospector_create(NULL, 7), *twin = prospector_create(NULL, 7);
    prospector_state *handles[3] = {NULL, ship, NULL};
    static prospector_result results[3], untouched;
    static float rows[3][PROSPECTOR_OBS_DIM], first[PROSPECTOR_OBS_DIM];
    memset(results, 0xab, sizeof results);
    memset(&untouched, 0xab, sizeof untouched);
    memset(rows, 0xab, sizeof rows);

    /* Null actions hold; n of 0 does nothing. */
    prospector_result expected;
    prospector_step_many(handles, NULL, 0, results);
    prospector_step_many(handles, NULL, 3, results);
    prospector_step(twin, 6, &expected);
    CHECK(memcmp(&results[1], &expected, sizeof expected) == 0);
    CHECK(memcmp(&results[0], &untouched, sizeof untouched) == 0);
    CHECK(memcmp(&results[2], &untouched, sizeof untouched) == 0);

    /* Null results: stepped and discarded. */
    prospector_step_many(handles, NULL, 3, NULL);
    prospector_step(twin, 6, &expected);
    prospector_step(ship, 8, &results[1]);
    prospector_step(twin, 8, &expected);
    CHECK(memcmp(&results[1], &expected, sizeof expected) == 0);

    /* Null seeds: each state's last one. */
    prospector_reset_many(handles, NULL, 0, rows[0]);
    prospector_reset_many(handles, NULL, 3, rows[0]);
    prospector_reset(twin, 7, first);
    CHECK(memcmp(rows[1], first, sizeof first) == 0);
    CHECK(memcmp(rows[0], &untouched, sizeof rows[0]) == 0);
    CHECK(memcmp(rows[2], &untouched, sizeof rows[2]) == 0);
    uint64_t seeds[3] = {1, UINT64_MAX, 3};
    prospector_reset_many(handles, seeds, 3, NULL);
    prospector_step(ship, 6, &results[1]);
    prospector_reset(twin, UINT64_MAX, NULL);
    prospector_step(twin, 6, &expected);
    CHECK(memcmp(&results[1], &expected, sizeof expected) == 0);
    prospector_destroy(ship);
    prospector_destroy(twin);
}

/* Batch calls and scalar calls, on states from prospector_create and in one owned block. */
static void check_many_equals_scalar(void) {
    size_t align = prospector_state_align();
    size_t stride = (prospector_state_size() + align - 1) / align * align;
    /* Aligned by hand, and dirty: prospector_init must not care what the memory held. */
    char *block = malloc(stride * STATES + align);
    memset(block, 0xcd, stride * STATES + align);
    char *start = block + (align - (uintptr_t)block % align) % align;
    static prospector_state *many[STATES], *scalar[STATES];
    static uint64_t seeds[STATES];
    static float rows[STATES][PROSPECTOR_OBS_DIM], row[PROSPECTOR_OBS_DIM];
    static prospector_result results[STATES], result;
    static uint8_t actions[STATES];
    prospector_config config = {150.0f, 0.25f};
    for (size_t i = 0; i < STATES; i++) {
        seeds[i] = 1000 + i;
        many[i] = (prospector_state *)(start + stride * i);
        prospector_init(many[i], &config, 0);
        scalar[i] = prospector_create(&config, 1);
    }
    prospector_reset_many(many, seeds, STATES, rows[0]);
    for (size_t i = 0; i < STATES; i++) {
        prospector_reset(scalar[i], seeds[i], row);
        CHECK(memcmp(rows[i], row, sizeof row) == 0);
    }
    uint32_t random = 1;
    int endings = 0;
    for (int step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < STATES; i++) {
            actions[i] = (uint8_t)(next_random(&random) % 72);
        }
        prospector_step_many(many, actions, STATES, results);
        for (size_t i = 0; i < STATES; i++) {
            prospector_step(scalar[i], actions[i], &result);
            CHECK(memcmp(&results[i], &result, sizeof result) == 0);
            endings += result.dt == 0;
        }
        /* Ended states stay ended for a while: that reply must agree too. */
        if (step % 50 == 49) {
            prospector_reset_many(many, NULL, STATES, NULL);
            for (size_t i = 0; i < STATES; i++) {
                prospector_reset(scalar[i], seeds[i], NULL);
            }
        }
    }
    CHECK(endings > 0);
    for (size_t i = 0; i < STATES; i++) {
        prospector_destroy(scalar[i]);
    }
    free(block);
}

static void print_layout(void) {
#define FIELD(name)                                             \
    printf(#name " %zu %zu\n", offsetof(prospector_result, name), \
           sizeof(((prospector_result *)0)->name))
    FIELD(obs);
    FIELD(reward);
    FIELD(terminated);
    FIELD(truncated);
    FIELD(invalid_action);
    FIELD(padding);
    FIELD(dt);
    FIELD(action);
    FIELD(credits);
    FIELD(net_profit);
    FIELD(profit_per_tick);
    FIELD(survival);
    FIELD(overheat_ticks);
    FIELD(pirate_encounters);
    FIELD(value_lost_to_pirates);
    FIELD(fuel_used);
    FIELD(hull_damage);
    FIELD(tool_wear);
    FIELD(scan_count);
    FIELD(mining_ticks);
    FIELD(cargo_utilization_avg);
    FIELD(time_remaining);
    printf("result %zu %zu\n", (size_t)0, sizeof(prospector_result));
    printf("config.time_max %zu %zu\n", offsetof(prospector_config, time_max), sizeof(float));
    printf("config.invalid_action_penalty %zu %zu\n",
           offsetof(prospector_config, invalid_action_penalty), sizeof(float));
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "layout") == 0) {
        print_layout();
        return 0;
    }
    check_published_values();
    check_after_the_end();
    check_survival_forgets();
    check_nulls();
    check_many_skips_nulls();
    check_many_equals_scalar();
    return failures != 0;
}
