package dev.orderly.live;

import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;

/**
 * The connection over which a message came, for an answer to this connection alone. Thread-safe; nothing here blocks.
 */
public final class ClientConnection {
    private final LiveConnection transport;
    private final JsonMapper json;

    ClientConnection(LiveConnection transport, JsonMapper json) {
        this.transport = transport;
        this.json = json;
    }

    /** Unique among the connections of a node; not a secret. */
    public String id() {
        return transport.id();
    }

    /**
     * Sends to this connection only. As {@link Users.Recipients#send}.
     *
     * @return false if it is closed
     */
    public boolean send(Object value) {
        Objects.requireNonNull(value, "value");
        return transport.send(Message.of(value, json));
    }

    /** Closes the connection after the messages that were sent before. Idempotent. */
    public void close() {
        transport.close(CloseCode.DONE, "");
    }
}
