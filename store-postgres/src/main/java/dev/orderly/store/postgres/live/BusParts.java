package dev.orderly.store.postgres.live;

import dev.orderly.store.Bus;
import dev.orderly.store.Bus.Topic;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Codec of messages as notifications, which are texts below 8,000 bytes: sender, number of the message, number of the
 * part, count of parts, topic, and the bytes in base64. The numbers also keep two equal messages apart, of which
 * PostgreSQL would deliver one. Joining is for one thread, splitting for any.
 */
final class BusParts {
    private static final int PART = 5_700;
    private static final int FIELDS = 6;

    private final String sender;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, Joining> joining = new HashMap<>();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Whole(Topic topic, byte[] message) {}

    private record Joining(String number, int next, ByteArrayOutputStream bytes) {}

    BusParts(long sender) {
        this.sender = Long.toHexString(sender);
    }

    /** A hash of any text, short enough for the name of a channel. */
    static String nameOf(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }

    List<String> split(Topic topic, byte[] message) {
        String number = Long.toHexString(numbers.incrementAndGet());
        int count = (message.length + PART - 1) / PART;
        List<String> texts = new ArrayList<>(count);
        for (int part = 0; part < count; part++) {
            int from = part * PART;
            byte[] some = Arrays.copyOfRange(message, from, Math.min(message.length, from + PART));
            texts.add(String.join(" ", sender, number, String.valueOf(part), String.valueOf(count), topic.name(),
                    Base64.getEncoder().encodeToString(some)));
        }
        return texts;
    }

    /** The message that this part completes; null if it completes none, is from this node, or is malformed. */
    @Nullable
    Whole join(String text) {
        String[] fields = text.split(" ", FIELDS);
        if (fields.length < FIELDS || fields[0].equals(sender)) {
            return null;
        }
        try {
            int part = Integer.parseInt(fields[2]);
            int count = Integer.parseInt(fields[3]);
            Topic topic = Topic.valueOf(fields[4]);
            Joining before = part == 0
                    ? new Joining(fields[1], 0, new ByteArrayOutputStream())
                    : joining.get(fields[0]);
            if (before == null || !before.number.equals(fields[1]) || before.next != part) {
                joining.remove(fields[0]);
                return null;
            }
            before.bytes.writeBytes(Base64.getDecoder().decode(fields[5]));
            if (part + 1 == count || before.bytes.size() > Bus.MAX) {
                joining.remove(fields[0]);
                return part + 1 == count ? new Whole(topic, before.bytes.toByteArray()) : null;
            }
            joining.put(fields[0], new Joining(fields[1], part + 1, before.bytes));
        } catch (IllegalArgumentException e) {
            joining.remove(fields[0]); // malformed
        }
        return null;
    }

    /** Drops incomplete messages: after the loss of the connection their other parts do not come. */
    void forget() {
        joining.clear();
    }
}
