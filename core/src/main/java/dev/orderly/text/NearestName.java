package dev.orderly.text;

import dev.orderly.Internal;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The name that was most likely meant by a misspelt one. */
@Internal(to = "dev.orderly")
public final class NearestName {
    private NearestName() {}

    /** The nearest known name by edit distance; empty if more than a third of the name, and of two letters, differs. */
    public static Optional<String> of(String name, Collection<String> known) {
        int most = Math.max(2, (name.length() + 2) / 3);
        return known.stream().filter(k -> distance(name, k) <= most)
                .min(Comparator.comparingInt(k -> distance(name, k)));
    }

    /** Edit distance: the number of characters to insert, delete or replace to turn one text into the other. */
    private static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int i = 0; i <= b.length(); i++) {
            above[i] = i;
        }
        for (int row = 1; row <= a.length(); row++) {
            int[] current = new int[b.length() + 1];
            current[0] = row;
            for (int i = 1; i <= b.length(); i++) {
                int change = above[i - 1] + (a.charAt(row - 1) == b.charAt(i - 1) ? 0 : 1);
                current[i] = Math.min(change, Math.min(above[i], current[i - 1]) + 1);
            }
            above = current;
        }
        return above[b.length()];
    }
}
