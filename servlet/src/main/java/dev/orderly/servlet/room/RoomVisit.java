package dev.orderly.servlet.room;

import dev.orderly.web.message.Header;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.route.ExchangeContext;
import jakarta.servlet.ServletRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The visit of a request that a room let through. */
public final class RoomVisit {
    static final String ATTRIBUTE = RoomVisit.class.getName();

    private final String room;
    private final String visitor;
    private final Duration waited;
    private final Consumer<String> commands;

    private RoomVisit(String room, String visitor, Duration waited, Consumer<String> commands) {
        this.room = room;
        this.visitor = visitor;
        this.waited = waited;
        this.commands = commands;
    }

    /** The visit of a request; empty if its path has no room, or the room lets everybody pass. */
    public static Optional<RoomVisit> of(ServletRequest request) {
        return Optional.ofNullable((RoomVisit) request.getAttribute(ATTRIBUTE));
    }

    static @Nullable RoomVisit of(RequestHead head, ExchangeContext additions) {
        Map<String, String> known = additions.forwarded().stream()
                .collect(Collectors.toMap(Header::name, Header::value, (one, _) -> one));
        String room = known.get(AdmittedRequest.ROOM);
        String visitor = known.get(AdmittedRequest.VISITOR);
        return room == null || visitor == null
                ? null
                : new RoomVisit(room, visitor,
                        Duration.ofSeconds(Long.parseLong(known.getOrDefault(AdmittedRequest.WAITED, "0"))),
                        additions.commands());
    }

    public String room() {
        return room;
    }

    /** The visitor's id: the same from the place in line to the end of the stay. */
    public String visitor() {
        return visitor;
    }

    /** From the ticket to the admission. */
    public Duration waited() {
        return waited;
    }

    /** Ends the stay: the pass is void on every node, and the next visitor enters. Never blocks. */
    public void end() {
        commands.accept("revoke");
    }
}
