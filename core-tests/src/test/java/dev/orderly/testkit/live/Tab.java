package dev.orderly.testkit.live;

import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveConnection;
import dev.orderly.live.LiveEngine;
import dev.orderly.live.LiveSession;
import dev.orderly.live.Message;
import dev.orderly.user.UserId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A connection that records the messages sent to it. */
final class Tab implements LiveConnection {
    final List<String> heard = new CopyOnWriteArrayList<>();
    final List<Message> messages = new CopyOnWriteArrayList<>();
    volatile @Nullable CloseCode closed;
    private final String id;

    Tab(String id) {
        this.id = id;
    }

    /** A tab and its session, which must be granted. */
    record Open(Tab tab, LiveSession session) {
        void says(String text) {
            session.received(new Message.Text(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    static Open of(LiveEngine live, String user) {
        Tab tab = new Tab(user + "'s");
        return new Open(tab, connect(live, user, tab).orElseThrow());
    }

    static Optional<LiveSession> connect(LiveEngine live, String user, Tab tab) {
        return live.connect(new UserId(user), tab, null);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String address() {
        return "here";
    }

    @Override
    public boolean send(Message message) {
        messages.add(message);
        heard.add(new String(message.bytes(), StandardCharsets.UTF_8));
        return closed == null;
    }

    @Override
    public void close(CloseCode code, String reason) {
        closed = code;
    }
}
