package dev.orderly.config;

import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.web.room.RoomBacklog;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.page.WaitingPage;
import org.jspecify.annotations.Nullable;

/**
 * A room of the file.
 *
 * @param page laid out from the files it names
 * @param backlog null if no queue slows the room
 */
public record RoomConfig(RoomName name, RoomMatch match, RoomOptions options, @Nullable RoomBacklog backlog,
        WaitingPage page, int waitingStatus) {}
