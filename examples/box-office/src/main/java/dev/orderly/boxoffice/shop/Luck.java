package dev.orderly.boxoffice.shop;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Reproducible chance: the same seed, subject and attempt always give the same result, whatever runs beside them. */
public record Luck(long seed) {
    RandomGenerator of(String thing, int attempt) {
        long mixed = seed;
        for (int i = 0; i < thing.length(); i++) {
            mixed = mixed * 1_000_003 + thing.charAt(i);
        }
        return new SplittableRandom(mixed + attempt * 0x9E3779B97F4A7C15L);
    }
}
