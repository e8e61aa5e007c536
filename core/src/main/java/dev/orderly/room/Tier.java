package dev.orderly.room;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Visitors with a line of their own, who get a share of a room's admissions: those whose verified identity has a claim.
 *
 * @param name 1 to 40 lower-case letters, digits, '-' and '_', starting with a letter
 * @param claim {@code name=value}: the claim of the user's token, and the text that it has, or that its list contains
 * @param share of a hundred admissions while visitors of all tiers wait: 1 to 99
 */
public record Tier(String name, String claim, int share) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,39}");
    private static final Pattern CLAIM = Pattern.compile("[^=\\p{Cntrl}]{1,100}=[^\\p{Cntrl}]{1,200}");

    /** @throws IllegalArgumentException if a value breaks its rule */
    public Tier {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(claim, "claim");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Tier name \"" + name + "\" breaks the rule: use 1 to 40 lower-case"
                    + " letters, digits, '-' and '_', starting with a letter");
        }
        if (!CLAIM.matcher(claim).matches()) {
            throw new IllegalArgumentException("The claim \"" + claim + "\" of tier " + name + " names no claim and its"
                    + " value: write name=value, such as tier=gold");
        }
        if (share < 1 || share > 99) {
            throw new IllegalArgumentException("The share of tier " + name + " is " + share + " %: use 1 to 99 %");
        }
    }

    /** The name of the claim. */
    public String claimName() {
        return claim.substring(0, claim.indexOf('='));
    }

    /** The text that the claim has. */
    public String claimValue() {
        return claim.substring(claim.indexOf('=') + 1);
    }
}
