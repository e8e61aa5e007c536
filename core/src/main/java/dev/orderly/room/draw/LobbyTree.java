package dev.orderly.room.draw;

import dev.orderly.room.VisitorId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The Merkle tree over the tickets of a lobby. A node is SHA-256(0x01 || left || right), a ticket is
 * SHA-256(0x00 || index || leaf) with the index as 8 bytes, the highest first; the last node of a level without a
 * sibling rises as it is. The root of no tickets is SHA-256 of nothing.
 *
 * <p>Built from pages of {@value #PAGE} leaves in turn; keeps a hash for each page, so that the path of a ticket needs
 * the entries of its page only. Not thread-safe while it is built.
 */
public final class LobbyTree {
    /** Leaves of a page: a power of two. */
    public static final int PAGE = 1024;
    /** Bytes of an {@link #entry}. */
    public static final int ENTRY = 32;

    private final MessageDigest digest = DrawHash.sha256();
    private final List<byte[]> pages = new ArrayList<>();
    private final LongFunction<String> tiers;
    private long count;

    /** A tree over tickets without tiers. */
    public LobbyTree() {
        this(_ -> "");
    }

    /** @param tiers the name of the tier of the ticket with an index; empty for none */
    public LobbyTree(LongFunction<String> tiers) {
        this.tiers = tiers;
    }

    /** What a store keeps of a ticket: ticket || nonce, in hexadecimal digits. */
    public static String entry(VisitorId ticket, String nonce) {
        return DrawHash.text(ticket.bytes()) + nonce;
    }

    /** The leaf of a ticket without a tier: SHA-256(ticket || nonce), in hexadecimal digits. */
    public static String leaf(VisitorId ticket, String nonce) {
        return leaf(ticket, nonce, "");
    }

    /** The leaf of a ticket: SHA-256(ticket || nonce || tier), in hexadecimal digits; the tier in UTF-8. */
    public static String leaf(VisitorId ticket, String nonce, String tier) {
        MessageDigest digest = DrawHash.sha256();
        digest.update(ticket.bytes());
        digest.update(DrawHash.bytes(nonce));
        return DrawHash.text(digest.digest(tier.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Adds the next tickets.
     *
     * @param entries 32 bytes each, see {@link #entry}
     *
     * @throws IllegalStateException behind a page that was not full
     */
    public void add(byte[] entries) {
        if (count % PAGE != 0) {
            throw new IllegalStateException("The last page of a tree has " + count % PAGE + " of " + PAGE
                    + " leaves: add nothing behind it");
        }
        List<byte[]> level = tickets(entries, count, digest);
        count += level.size();
        if (!level.isEmpty()) {
            pages.add(top(level, 0, new ArrayList<>(), digest));
        }
    }

    /** The number of leaves. */
    public long count() {
        return count;
    }

    /** The root, in hexadecimal digits. */
    public String root() {
        return DrawHash.text(pages.isEmpty() ? digest.digest() : top(pages, 0, new ArrayList<>(), digest));
    }

    /**
     * The siblings from a ticket up to the root, in hexadecimal digits; a level without a sibling has none.
     *
     * @param entries the page of the ticket
     */
    public List<String> path(long index, byte[] entries) {
        MessageDigest own = DrawHash.sha256();
        long page = index / PAGE;
        List<byte[]> siblings = new ArrayList<>();
        top(tickets(entries, page * PAGE, own), (int) (index % PAGE), siblings, own);
        top(pages, (int) page, siblings, own);
        return siblings.stream().map(DrawHash::text).toList();
    }

    /** The root that a leaf and its path lead to. */
    public static String root(long index, long count, String leaf, List<String> path) {
        MessageDigest digest = DrawHash.sha256();
        byte[] node = ticket(index, DrawHash.bytes(leaf), digest);
        long at = index;
        long last = count - 1;
        int used = 0;
        for (; last > 0; at /= 2, last /= 2) {
            if (at % 2 == 1 || at < last) {
                if (used == path.size()) {
                    return "";
                }
                byte[] sibling = DrawHash.bytes(path.get(used++));
                node = at % 2 == 1 ? node(sibling, node, digest) : node(node, sibling, digest);
            }
        }
        return used == path.size() ? DrawHash.text(node) : "";
    }

    private List<byte[]> tickets(byte[] entries, long first, MessageDigest digest) {
        List<byte[]> level = new ArrayList<>(entries.length / ENTRY);
        for (int n = 0; n < entries.length / ENTRY; n++) {
            digest.update(entries, n * ENTRY, ENTRY);
            byte[] leaf = digest.digest(tiers.apply(first + n).getBytes(StandardCharsets.UTF_8));
            level.add(ticket(first + n, leaf, digest));
        }
        return level;
    }

    /** The top of a level, and the siblings on the way from one of its nodes. */
    private static byte[] top(List<byte[]> bottom, int from, List<byte[]> siblings, MessageDigest digest) {
        List<byte[]> level = bottom;
        for (int at = from; level.size() > 1; at /= 2) {
            int sibling = at ^ 1;
            if (sibling < level.size()) {
                siblings.add(level.get(sibling));
            }
            List<byte[]> next = new ArrayList<>((level.size() + 1) / 2);
            for (int n = 0; n < level.size(); n += 2) {
                next.add(n + 1 < level.size() ? node(level.get(n), level.get(n + 1), digest) : level.get(n));
            }
            level = next;
        }
        return level.getFirst();
    }

    private static byte[] ticket(long index, byte[] leaf, MessageDigest digest) {
        digest.update((byte) 0);
        digest.update(DrawHash.index(index));
        return digest.digest(leaf);
    }

    private static byte[] node(byte[] left, byte[] right, MessageDigest digest) {
        digest.update((byte) 1);
        digest.update(left);
        return digest.digest(right);
    }
}
