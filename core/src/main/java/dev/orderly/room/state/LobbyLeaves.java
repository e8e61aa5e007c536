package dev.orderly.room.state;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** The leaves of the tickets of an epoch, 32 bytes each, in chunks. Not thread-safe. */
public final class LobbyLeaves {
    private static final int BYTES = 32;
    private static final int BITS = 10;
    private static final int MASK = (1 << BITS) - 1;

    private final Map<Long, byte[]> chunks = new HashMap<>();

    public void put(long place, byte[] leaf) {
        byte[] chunk = chunks.computeIfAbsent(place >>> BITS, _ -> new byte[BYTES << BITS]);
        System.arraycopy(leaf, 0, chunk, (int) (place & MASK) * BYTES, BYTES);
    }

    static byte[] of(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    /** The leaves of consecutive places; zeros for those that have none. */
    byte[] of(long from, int number) {
        byte[] leaves = new byte[number * BYTES];
        for (int n = 0; n < number; n++) {
            byte[] chunk = chunks.get((from + n) >>> BITS);
            if (chunk != null) {
                int at = (int) ((from + n) & MASK) * BYTES;
                System.arraycopy(Arrays.copyOfRange(chunk, at, at + BYTES), 0, leaves, n * BYTES, BYTES);
            }
        }
        return leaves;
    }

    void clear() {
        chunks.clear();
    }
}
