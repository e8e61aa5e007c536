package dev.orderly.room;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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
        Objects.requireNonNull(all, "all");
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

    /**
     * Visitors with a line of their own, who get a share of a room's admissions: those whose verified identity has a
     * claim, and those who redeem an invitation.
     *
     * @param name 1 to 40 lower-case letters, digits, '-' and '_', starting with a letter
     * @param claim {@code name=value}: the claim of the user's token, and the text that it has, or that its list has;
     *     null for none
     * @param share of a hundred admissions while visitors of all tiers wait: 1 to 99
     * @param invitations whether invitations may be issued
     */
    public record Tier(String name, @Nullable String claim, int share, boolean invitations) {
        private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,39}");
        private static final Pattern CLAIM = Pattern.compile("[^=\\p{Cntrl}]{1,100}=[^\\p{Cntrl}]{1,200}");

        /** A tier by a claim. */
        public Tier(String name, String claim, int share) {
            this(name, Objects.requireNonNull(claim, "claim"), share, false);
        }

        /** A tier by invitations alone. */
        public static Tier invited(String name, int share) {
            return new Tier(name, null, share, true);
        }

        /** Whether a text obeys the rule of names. */
        public static boolean isName(String text) {
            Objects.requireNonNull(text, "text");
            return NAME.matcher(text).matches();
        }

        /** @throws IllegalArgumentException if a value breaks its rule, or nobody can belong to the tier */
        public Tier {
            Objects.requireNonNull(name, "name");
            if (!isName(name)) {
                throw new IllegalArgumentException("Tier name \"" + name + "\" breaks the rule: use 1 to 40 lower-case"
                        + " letters, digits, '-' and '_', starting with a letter");
            }
            if (claim == null && !invitations) {
                throw new IllegalArgumentException("Nobody belongs to tier " + name
                        + ": set its claim, or let it have invitations");
            }
            if (claim != null && !CLAIM.matcher(claim).matches()) {
                throw new IllegalArgumentException(
                        "The claim \"" + claim + "\" of tier " + name + " names no claim and its"
                                + " value: write name=value, such as tier=gold");
            }
            if (share < 1 || share > 99) {
                throw new IllegalArgumentException("The share of tier " + name + " is " + share + " %: use 1 to 99 %");
            }
        }

        /** The name of the claim; empty without one. */
        public String claimName() {
            return claim == null ? "" : claim.substring(0, claim.indexOf('='));
        }

        /** The text that the claim has; empty without one. */
        public String claimValue() {
            return claim == null ? "" : claim.substring(claim.indexOf('=') + 1);
        }
    }

    /** The names of the tiers with invitations. */
    public List<String> invited() {
        return all.stream().filter(Tier::invitations).map(Tier::name).toList();
    }

    /** Whether visitors have tiers by claims of their tokens. */
    public boolean haveClaims() {
        return all.stream().anyMatch(tier -> tier.claim() != null);
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
        Objects.requireNonNull(fits, "fits");
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
