package dev.orderly.web.live;

import dev.orderly.flow.Quota;
import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveConnection;
import dev.orderly.live.LiveSession;
import dev.orderly.live.Message;
import dev.orderly.time.Time;
import dev.orderly.web.message.EventStream;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.user.Authentication;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;

/** An event stream for a user who only receives: events {@code message} and {@code bytes}. */
final class LiveEvents implements LiveConnection, Heartbeat.Beating {
    private static final byte[] RETRY = utf8("retry: 2000\n\n");
    private static final byte[] COMMENT = utf8(":\n\n");

    private final LiveHandler door;
    private final EventStream stream;
    private final String address;
    private final long id = ThreadLocalRandom.current().nextLong();
    private long wroteAt;
    private long deadline;

    LiveEvents(LiveHandler door, EventStream stream, String address) {
        this.door = door;
        this.stream = stream;
        this.address = address;
        this.wroteAt = door.heartbeat().time().nanos();
    }

    /** @throws ProblemException if a limit of connections is reached */
    void begin(Authentication.Known known) {
        Quota.Taken taken = door.engine().enter(address);
        if (taken != Quota.Taken.TAKEN) {
            throw new ProblemException(door.full(taken));
        }
        stream.onClose(() -> door.engine().leave(address));
        stream.write(RETRY);
        Time time = door.heartbeat().time();
        deadline = time.deadline(Duration.between(time.now(), known.until()));
        LiveSession session = door.engine().connect(known.user(), this, null)
                .orElseThrow(() -> new ProblemException(LiveHandler.noRoom()));
        door.heartbeat().add(this);
        stream.onClose(() -> {
            door.heartbeat().remove(this);
            session.closed();
        });
    }

    @Override
    public String id() {
        return Long.toHexString(id);
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public String transport() {
        return "events";
    }

    @Override
    public boolean send(Message message) {
        return stream.write(utf8(switch (message) {
            case Message.Bytes(byte[] bytes) ->
                "event: bytes\ndata: " + Base64.getEncoder().encodeToString(bytes) + "\n\n";
            case Message.Json(byte[] json) -> event(json);
            case Message.Text(byte[] text) -> event(text);
        }));
    }

    /** Each line of a text needs a field of its own. */
    private static String event(byte[] utf8) {
        String text = new String(utf8, StandardCharsets.UTF_8);
        return "event: message\ndata: " + text.replaceAll("\r\n|\r|\n", "\ndata: ") + "\n\n";
    }

    @Override
    public void close(CloseCode code, String reason) {
        stream.close();
    }

    @Override
    public void beat(long now) {
        if (now - deadline >= 0) {
            stream.close();
        } else if (now - wroteAt >= door.times().ping().toNanos()) {
            wroteAt = now;
            stream.write(COMMENT);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
