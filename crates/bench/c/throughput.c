/* Steps Prospector v1 through its C face, in slices that `astrarium bench` asks for.
 *
 *   throughput batch NUM_WORLDS ACTIONS_FILE
 *   throughput single ACTIONS_FILE
 *
 * The file holds little-endian int32: rows of NUM_WORLDS actions, used in turn. Each line of
 * standard input is an order, `steps`, `resets` or `count` and a number of calls; each answer is
 * one line of JSON. A world that ends begins again with the next seed, in the same slice: the
 * face does not do that by itself, so its time belongs to the loop.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "prospector.h"

static uint32_t worlds;
static prospector_state **handles;
static prospector_result *results;
static uint8_t *actions;
static size_t rows;
static size_t next_row;
static uint64_t next_seed;
static int singly;

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *need(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "throughput: out of memory\n");
        exit(2);
    }
    return memory;
}

static void read_actions(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "throughput: cannot read %s\n", path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    size_t count = (size_t)ftell(file) / 4;
    rewind(file);
    int32_t *wide = need(malloc(count * 4));
    if (count < worlds || fread(wide, 4, count, file) != count) {
        fprintf(stderr, "throughput: %s does not hold a row of %" PRIu32 "\n", path, worlds);
        exit(2);
    }
    fclose(file);
    actions = need(malloc(count));
    for (size_t i = 0; i < count; i++)
        actions[i] = (uint8_t)wide[i];
    free(wide);
    rows = count / worlds;
}

static void step(void) {
    const uint8_t *row = actions + next_row * worlds;
    next_row = next_row + 1 < rows ? next_row + 1 : 0;
    if (singly)
        prospector_step(handles[0], row[0], results);
    else
        prospector_step_many(handles, row, worlds, results);
    for (uint32_t i = 0; i < worlds; i++)
        if (results[i].terminated | results[i].truncated)
            prospector_reset(handles[i], next_seed++, results[i].obs);
}

static void obey(const char *order, uint64_t calls) {
    double ticks = 0.0;
    uint64_t first_seed = next_seed;
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (strcmp(order, "steps") == 0) {
        for (uint64_t call = 0; call < calls; call++)
            step();
    } else if (strcmp(order, "resets") == 0) {
        for (uint64_t call = 0; call < calls; call++)
            for (uint32_t i = 0; i < worlds; i++)
                prospector_reset(handles[i], next_seed++, results[i].obs);
    } else if (strcmp(order, "count") == 0) {
        for (uint64_t call = 0; call < calls; call++) {
            step();
            for (uint32_t i = 0; i < worlds; i++)
                ticks += results[i].dt;
        }
        printf("{\"steps\": %.1f, \"ticks\": %.1f, \"episodes\": %.1f}\n",
               (double)calls * worlds, ticks, (double)(next_seed - first_seed));
        return;
    } else {
        fprintf(stderr, "throughput: %s is no order; say steps, resets or count\n", order);
        exit(2);
    }
    wall = seconds(CLOCK_MONOTONIC) - wall;
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("{\"steps\": %.1f, \"wall_s\": %.9f, \"cpu_s\": %.9f}\n",
           (double)calls * worlds, wall, cpu);
}

int main(int count, char **words) {
    singly = count == 3 && strcmp(words[1], "single") == 0;
    if (!singly && !(count == 4 && strcmp(words[1], "batch") == 0)) {
        fprintf(stderr, "throughput: say batch NUM_WORLDS FILE or single FILE\n");
        return 2;
    }
    worlds = singly ? 1 : (uint32_t)strtoul(words[2], NULL, 10);
    if (worlds == 0) {
        fprintf(stderr, "throughput: %s is no number of worlds\n", words[2]);
        return 2;
    }
    read_actions(words[count - 1]);
    handles = need(malloc(worlds * sizeof *handles));
    results = need(calloc(worlds, sizeof *results));
    for (uint32_t i = 0; i < worlds; i++)
        handles[i] = need(prospector_create(NULL, next_seed++));

    char order[16];
    uint64_t calls;
    while (scanf("%15s %" SCNu64, order, &calls) == 2) {
        obey(order, calls);
        fflush(stdout);
    }
    for (uint32_t i = 0; i < worlds; i++)
        prospector_destroy(handles[i]);
    free(handles);
    free(results);
    free(actions);
    return 0;
}
