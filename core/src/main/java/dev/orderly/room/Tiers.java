package dev.orderly.room;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The tiers of a room. Visitors of no tier have the first line, and the share that is left.
 *
 * <p>Each line numbers its places from 1. The number of a line, 0 for the first, is kept in the bits of its places
 * above {@value #BITS}, so that a place tells its line.
 *
 * @param all at most {@value #MOST}, each with another name; a visitor with claims of several is in the first of them
 */
public record Tiers(List<Tier> all) {
    /** Most tiers of a room. */
    public static final int MOST = 8;
    /** No tiers: one line for all visitors. */
    public static final Tiers NONE = new Tiers(List.of());
    /** Bits of a place in its line. */
    public static final int BITS = 44;

    /** @throws IllegalArgumentException if there are too many, a name occurs twice, or the shares leave nothing over */
    public Tiers {
        all = List.copyOf(all);
        if (all.size() > MOST) {
            throw new IllegalArgumentException(all.size() + " tiers are too many: use at most " + MOST);
        }
        Set<String> names = new HashSet<>();
        for (Tier tier : all) {
            if (!names.add(tier.name())) {
                throw new IllegalArgumentException("Two tiers have the name " + tier.name() + ": rename one");
            }
        }
        int sum = all.stream().mapToInt(Tier::share).sum();
        if (sum > 99) {
            throw new IllegalArgumentException("The shares of the tiers are " + sum + " % together, and visitors of no"
                    + " tier get the rest: make them 99 % at most");
        }
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** The share of visitors of no tier. */
    public int rest() {
        return 100 - all.stream().mapToInt(Tier::share).sum();
    }

    /** The name of the first tier that fits. */
    public Optional<String> first(Predicate<Tier> fits) {
        return all.stream().filter(fits).map(Tier::name).findFirst();
    }

    /** The line of a place. */
    public static int line(long place) {
        return (int) (place >>> BITS);
    }

    /** The place before the first one of a line. */
    public static long start(int line) {
        return (long) line << BITS;
    }

    /** The number of a place in its line, from 1, which visitors see. */
    public static long number(long place) {
        return place & (start(1) - 1);
    }
}
