package dev.orderly.room;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The draw of the places of a lobby: what was committed to before it, what was published at its close, and what the
 * places follow from. Its text form never has the seed.
 *
 * @param opening the moment at which the opening begins by the configuration: its name
 * @param beacon the public value that enters the draw; null for none
 * @param commitment see {@link #commitment}, in hexadecimal digits
 * @param seed 32 bytes in hexadecimal digits; null where it is not known before the draw
 * @param epoch the epoch of the lobby's tickets; 0 before the close
 * @param base the last place before the lobby, of visitors without a tier
 * @param count the number of all tickets; -1 before the close
 * @param root the root of the tree of tickets, in hexadecimal digits; null before the close
 * @param value the value of the beacon; null as long as it is not known
 * @param drawn whether the places are drawn, and the seed is public
 * @param tiers the tickets of tiers, in the order of their indices behind those of visitors without one; empty before
 *     the close. Null in a room without tiers
 */
public record Draw(Instant opening, @Nullable Beacon beacon, String commitment, @Nullable String seed, long epoch,
        long base, long count, @Nullable String root, @Nullable String value, boolean drawn,
        @Nullable List<Lobby> tiers) {
    /** What the draw does, in a form that everybody can check. */
    public static final String RULES = "orderly-draw-1: leaf = SHA-256(ticket || nonce); tree over"
            + " SHA-256(0x00 || index || leaf) and SHA-256(0x01 || left || right); key = HMAC-SHA-256(seed, root ||"
            + " beacon); the order is that of HMAC-SHA-256(key, index)";
    /** The same in a room with tiers. */
    public static final String RULES_OF_TIERS = "orderly-draw-2: leaf = SHA-256(ticket || nonce || tier); tree over"
            + " SHA-256(0x00 || index || leaf) and SHA-256(0x01 || left || right); key = HMAC-SHA-256(seed, root ||"
            + " beacon); the order is that of HMAC-SHA-256(key, index), for the indices of each tier alone";
    private static final String NONE = "-";

    public Draw {
        Objects.requireNonNull(opening, "opening");
        Objects.requireNonNull(commitment, "commitment");
        tiers = tiers == null ? null : List.copyOf(tiers);
    }

    /** A draw in a room without tiers. */
    public Draw(Instant opening, @Nullable Beacon beacon, String commitment, @Nullable String seed, long epoch,
            long base, long count, @Nullable String root, @Nullable String value, boolean drawn) {
        this(opening, beacon, commitment, seed, epoch, base, count, root, value, drawn, null);
    }

    /**
     * The tickets of a line in a lobby. They have consecutive numbers and consecutive indices.
     *
     * @param tier the name of the tier; empty for visitors without one
     * @param base the number before the first ticket
     */
    public record Lobby(String tier, long base, long count) {
        /** Whether the ticket of this number is among these. */
        public boolean has(long issued) {
            return issued > base && issued <= base + count;
        }
    }

    /** A draw before its lobby. */
    static Draw committed(RoomName room, Instant opening, @Nullable Beacon beacon, String seed, boolean tiers) {
        return new Draw(opening, beacon, commitment(room, opening, tiers ? RULES_OF_TIERS : RULES, beacon, seed), seed,
                0, 0, -1, null, null, false, tiers ? List.of() : null);
    }

    /** What this draw does, in a form that everybody can check. */
    public String rules() {
        return tiers == null ? RULES : RULES_OF_TIERS;
    }

    /** The commitment to {@link #RULES}. */
    public static String commitment(RoomName room, Instant opening, @Nullable Beacon beacon, String seed) {
        return commitment(room, opening, RULES, beacon, seed);
    }

    /** SHA-256(seed || room || opening || rules || beacon || moment of the beacon), each text in a line of its own. */
    public static String commitment(RoomName room, Instant opening, String rules, @Nullable Beacon beacon,
            String seed) {
        String text = room + "\n" + opening + "\n" + rules + "\n"
                + (beacon == null ? "\n\n" : beacon.source() + "\n" + beacon.at() + "\n");
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(HexFormat.of().parseHex(seed));
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    /** This draw as everybody may know it. */
    Draw published() {
        return drawn || seed == null
                ? this
                : new Draw(opening, beacon, commitment, null, epoch, base, count, root, value, false, tiers);
    }

    /** Whether the number of tickets and their root are published. */
    public boolean isClosed() {
        return root != null;
    }

    /** Whether the draw waits for a value of its beacon. */
    public boolean awaitsValue() {
        return root != null && beacon != null && value == null;
    }

    /** The tickets of each line, in the order of their indices. */
    public List<Lobby> lobby() {
        if (tiers == null || tiers.isEmpty()) {
            return List.of(new Lobby("", base, count));
        }
        List<Lobby> all = new ArrayList<>(tiers);
        all.addFirst(new Lobby("", base, count - tiers.stream().mapToLong(Lobby::count).sum()));
        return all;
    }

    /** Whether the ticket with this number was in the lobby. */
    public boolean has(long lineEpoch, long issued) {
        return epoch == lineEpoch && lobby().stream().anyMatch(line -> line.has(issued));
    }

    /** The number of tickets, and their root, of the lines of a lobby. */
    Draw closed(long lineEpoch, List<Lobby> lobby, String rootOfTickets) {
        return new Draw(opening, beacon, commitment, seed, lineEpoch, lobby.getFirst().base(),
                lobby.stream().mapToLong(Lobby::count).sum(), rootOfTickets, null, false,
                tiers == null ? null : lobby.subList(1, lobby.size()));
    }

    Draw withValue(String known) {
        return new Draw(opening, beacon, commitment, seed, epoch, base, count, root, known, false, tiers);
    }

    Draw revealed() {
        return new Draw(opening, beacon, commitment, seed, epoch, base, count, root, value, true, tiers);
    }

    String stored() {
        return String.join(" ", opening.toString(), beacon == null ? NONE : beacon.at().toString(),
                text(beacon == null ? null : beacon.source()), commitment, seed == null ? NONE : seed,
                Long.toString(epoch), Long.toString(base), Long.toString(count), root == null ? NONE : root,
                text(value), Boolean.toString(drawn))
                + (tiers == null
                        ? ""
                        : " =" + tiers.stream().map(line -> line.tier + ":" + line.base + ":" + line.count)
                                .collect(Collectors.joining(",")));
    }

    static Draw ofStored(String line) {
        String[] parts = line.split(" ", -1);
        Beacon beacon = parts[1].equals(NONE)
                ? null
                : new Beacon(Objects.requireNonNull(read(parts[2])), Instant.parse(parts[1]));
        return new Draw(Instant.parse(parts[0]), beacon, parts[3], parts[4].equals(NONE) ? null : parts[4],
                Long.parseLong(parts[5]), Long.parseLong(parts[6]), Long.parseLong(parts[7]),
                parts[8].equals(NONE) ? null : parts[8], read(parts[9]), Boolean.parseBoolean(parts[10]),
                parts.length > 11 ? lines(parts[11].substring(1)) : null);
    }

    private static List<Lobby> lines(String text) {
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",")).map(line -> line.split(":"))
                        .map(part -> new Lobby(part[0], Long.parseLong(part[1]), Long.parseLong(part[2]))).toList();
    }

    private static String text(@Nullable String value) {
        return value == null ? NONE : "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static @Nullable String read(String part) {
        return part.equals(NONE) ? null : URLDecoder.decode(part.substring(1), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "Draw[opening=" + opening + ", commitment=" + commitment + ", count=" + count + ", root=" + root
                + ", value=" + value + ", drawn=" + drawn + ", tiers=" + tiers + "]";
    }
}
