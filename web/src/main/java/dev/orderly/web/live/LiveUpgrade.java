package dev.orderly.web.live;

import dev.orderly.web.message.RequestHead;
import dev.orderly.web.route.RequestRouter.Match;
import dev.orderly.web.user.Authentication;
import org.jspecify.annotations.Nullable;

/** Makes a WebSocket of a request whose sender may connect: the part that depends on the transport. */
@FunctionalInterface
public interface LiveUpgrade {
    /** @param known the sender; null for a client that sends its token as the first message */
    Match upgrade(LiveHandler door, RequestHead head, String address, Authentication.@Nullable Known known);
}
