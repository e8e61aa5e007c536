package dev.orderly.room.draw;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntFunction;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * The order of a draw: place by index, both from 0. Takes about a second and 20 bytes a ticket to make for a million
 * tickets, and keeps 4 bytes of each. Immutable.
 */
public final class DrawOrder {
    private final int[] places;

    private DrawOrder(int[] places) {
        this.places = places;
    }

    /**
     * The order by HMAC(key, index), where the key is HMAC-SHA-256(seed, root || beacon).
     *
     * @param seed in hexadecimal digits
     * @param root in hexadecimal digits
     * @param beacon its value; null for none
     * @param count number of tickets
     */
    public static DrawOrder of(String seed, String root, @Nullable String beacon, int count) {
        return of(seed, root, beacon, 0, count);
    }

    /**
     * The order of the indices of a tier alone: {@link #place} counts both from the first of them.
     *
     * @param first the first index
     */
    public static DrawOrder of(String seed, String root, @Nullable String beacon, long first, int count) {
        Mac mac = DrawHash.hmac(DrawHash.key(seed, root, beacon));
        return by(index -> mac.doFinal(DrawHash.index(first + index)), count);
    }

    static DrawOrder by(IntFunction<byte[]> hash, int count) {
        long[] heads = new long[count];
        for (int index = 0; index < count; index++) {
            heads[index] = head(hash.apply(index));
        }
        long[] sorted = heads.clone();
        Arrays.sort(sorted);
        int[] places = new int[count];
        for (int index = 0; index < count; index++) {
            int found = Arrays.binarySearch(sorted, heads[index]);
            places[index] = isAlone(sorted, found) ? found : placeOfEqual(hash, heads, sorted, index, found);
        }
        return new DrawOrder(places);
    }

    /** The first 8 bytes of a hash, as a number whose order with a sign is that of the bytes. */
    private static long head(byte[] hash) {
        return ByteBuffer.wrap(hash).getLong() ^ Long.MIN_VALUE;
    }

    private static boolean isAlone(long[] sorted, int at) {
        return (at == 0 || sorted[at - 1] != sorted[at]) && (at == sorted.length - 1 || sorted[at + 1] != sorted[at]);
    }

    /** Of hashes with equal first bytes the others decide; that happens once in ten million draws of a million. */
    private static int placeOfEqual(IntFunction<byte[]> hash, long[] heads, long[] sorted, int index,
            int found) {
        int first = found;
        while (first > 0 && sorted[first - 1] == sorted[found]) {
            first--;
        }
        byte[] own = hash.apply(index);
        int before = 0;
        for (int other = 0; other < heads.length; other++) {
            if (other != index && heads[other] == heads[index]
                    && Arrays.compareUnsigned(hash.apply(other), own) < 0) {
                before++;
            }
        }
        return first + before;
    }

    /** Number of tickets. */
    public int count() {
        return places.length;
    }

    /** The place of an index, both from 0. */
    public int place(int index) {
        return places[index];
    }
}
