/* Play one episode with random actions and print how it ended.
 *
 * Usage: episode [SEED] */
#include <stdio.h>
#include <stdlib.h>

#include <prospector.h>

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 7;
    prospector_state *ship = prospector_create(NULL, seed);
    if (ship == NULL) {
        fputs("out of memory\n", stderr);
        return 1;
    }
    prospector_result result = {0};
    uint32_t random = (uint32_t)seed, steps = 0, impossible = 0;
    double total = 0.0;
    while (!result.terminated && !result.truncated) {
        /* An impossible action holds for one tick and is reported as invalid. */
        random = random * 1664525u + 1013904223u;
        prospector_step(ship, (uint8_t)((random >> 8) % PROSPECTOR_N_ACTIONS), &result);
        impossible += result.invalid_action;
        total += result.reward;
        steps++;
    }
    printf("seed %llu: %u steps (%u impossible), return %.3f, credits %.0f, survived: %s\n",
           (unsigned long long)seed, steps, impossible, total, result.credits,
           result.survival > 0.5f ? "yes" : "no");
    prospector_destroy(ship);
    return 0;
}
