package dev.orderly.config;

import dev.orderly.job.QueueName;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.page.WaitingPage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A room of the file.
 *
 * @param page laid out from the files it names
 * @param backlog null if no queue slows the room
 */
public record RoomConfig(RoomName name, RoomMatch match, RoomOptions options, @Nullable Backlog backlog,
        WaitingPage page, int waitingStatus) {
    /**
     * A queue whose backlog slows the room.
     *
     * @param target the drain time at which the room begins to slow
     */
    public record Backlog(QueueName queue, Duration target) {}
}
