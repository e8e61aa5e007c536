package dev.orderly.web.room;

import dev.orderly.Internal;
import dev.orderly.job.QueueName;
import dev.orderly.text.DurationText;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose backlog slows a room.
 *
 * @param target the drain time at which the room begins to slow, 1 s to 1 d
 */
@Internal(to = "dev.orderly")
public record RoomBacklog(QueueName queue, Duration target) {
    private static final Duration TARGET_MIN = Duration.ofSeconds(1);
    private static final Duration TARGET_MAX = Duration.ofDays(1);

    /** @throws IllegalArgumentException if the target is out of its bounds */
    public RoomBacklog {
        Objects.requireNonNull(queue, "queue");
        if (target.compareTo(TARGET_MIN) < 0 || target.compareTo(TARGET_MAX) > 0) {
            throw new IllegalArgumentException("backlog.target is " + DurationText.of(target) + ": use "
                    + DurationText.of(TARGET_MIN) + " to "
                    + DurationText.of(TARGET_MAX));
        }
    }

    /**
     * The share of its limits that the room may use: 1 up to the target, falling to 0 at twice the target.
     *
     * @param drain time in which the waiting jobs are done; null if unknown, which slows no admission
     */
    double share(@Nullable Duration drain) {
        if (drain == null) {
            return 1;
        }
        double late = (double) drain.toMillis() / target.toMillis();
        return Math.clamp(2 - late, 0, 1);
    }
}
