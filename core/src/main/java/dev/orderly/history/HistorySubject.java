package dev.orderly.history;

import dev.orderly.job.QueueName;
import dev.orderly.room.RoomName;
import dev.orderly.text.StoredText;
import java.util.Objects;

/**
 * A queue, a room, or a tier of a room that has a history.
 *
 * @param name 1 to {@value #NAME_MAX} characters
 */
public record HistorySubject(Kind kind, String name) {
    /** The most characters of a name: those of a room, a slash, and those of a tier. */
    public static final int NAME_MAX = 81;

    /** What has a history. */
    public enum Kind {
        QUEUE("queue:"),
        ROOM("room:");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }
    }

    /** @throws IllegalArgumentException if the name breaks its bounds or {@link StoredText} */
    public HistorySubject {
        Objects.requireNonNull(kind, "kind");
        if (name.isEmpty() || name.length() > NAME_MAX) {
            throw new IllegalArgumentException("The name of a history has " + name.length()
                    + " characters: use 1 to " + NAME_MAX);
        }
        StoredText.check("The name of a history", name);
    }

    public static HistorySubject of(QueueName queue) {
        return new HistorySubject(Kind.QUEUE, queue.value());
    }

    public static HistorySubject of(RoomName room) {
        return new HistorySubject(Kind.ROOM, room.value());
    }

    /** The visitors of a tier of a room, who are visitors of the room too. */
    public static HistorySubject of(RoomName room, String tier) {
        Objects.requireNonNull(tier, "tier");
        return new HistorySubject(Kind.ROOM, room.value() + "/" + tier);
    }

    /** The subject as one text, by which stores keep it; different for different subjects. */
    public String key() {
        return kind.prefix + name;
    }
}
