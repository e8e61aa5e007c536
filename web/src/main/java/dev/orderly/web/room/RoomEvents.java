package dev.orderly.web.room;

import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomListener;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.web.message.EventStream;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.route.RequestRouter.Match;
import java.util.List;

/** The event stream of a waiting visitor: events {@code place}, {@code turn} and {@code void}. */
final class RoomEvents implements RoomListener {
    private static final byte[] RETRY = RoomJson.bytes("retry: 2000\n\n");
    private static final byte[] TURN = RoomJson.bytes("event: turn\ndata: {}\n\n");
    private static final byte[] VOID = RoomJson.bytes("event: void\ndata: {}\n\n");

    private final Room room;
    private final List<String> languages;
    private final EventStream stream;

    private RoomEvents(Room room, List<String> languages, EventStream stream) {
        this.room = room;
        this.languages = languages;
        this.stream = stream;
    }

    /** Opens the stream. A visitor without a ticket gets 204, which keeps browsers from connecting again. */
    static Match open(ProtectedRoom protectedRoom, VisitorRequest caller, WaitingStreams streams) {
        Room room = protectedRoom.gated().room();
        ShownTokens credentials = protectedRoom.credentials(caller);
        VisitorId visitor = room.visits().visitor(credentials).orElse(null);
        if (visitor == null) {
            return new Match.Immediate(Response.empty(204));
        }
        String address = caller.addressKey();
        List<String> languages = caller.languages();
        return new Match.Opened(List.of(), stream -> {
            streams.take(address, visitor).ifPresent(problem -> {
                throw new ProblemException(problem);
            });
            stream.onClose(() -> streams.give(address, visitor));
            RoomEvents events = new RoomEvents(room, languages, stream);
            stream.write(RETRY);
            stream.onClose(() -> room.visits().forget(events));
            if (!room.visits().listen(credentials, events)) {
                events.ended();
            }
        });
    }

    @Override
    public void update(LinePosition position) {
        String json = RoomJson.position(room, position, languages);
        stream.write(RoomJson.bytes("event: place\ndata: {" + json + "}\n\n"));
    }

    @Override
    public void turn() {
        stream.write(TURN);
        stream.close();
    }

    @Override
    public void ended() {
        stream.write(VOID);
        stream.close();
    }
}
