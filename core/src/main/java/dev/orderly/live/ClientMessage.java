package dev.orderly.live;

import dev.orderly.user.UserId;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** A message from a user, and the connection over which it came. */
public final class ClientMessage {
    private final UserId user;
    private final ClientConnection connection;
    private final Message message;
    private final JsonMapper json;

    ClientMessage(LiveSession session, Message message, JsonMapper json) {
        this.user = session.user();
        this.connection = new ClientConnection(session.transport(), json);
        this.message = message;
        this.json = json;
    }

    public UserId user() {
        return user;
    }

    public ClientConnection connection() {
        return connection;
    }

    /** The message as received. Text is {@link Message.Json} if it is one JSON object or array. */
    public Message message() {
        return message;
    }

    /**
     * The content read as JSON.
     *
     * @throws IllegalArgumentException if it is not JSON, or not of this type
     */
    public <T> T json(Class<T> type) {
        Objects.requireNonNull(type, "type");
        return read(json.constructType(type), () -> json.readValue(message.bytes(), type));
    }

    /** As {@link #json(Class)}, for a generic type. */
    public <T> T json(TypeReference<T> type) {
        Objects.requireNonNull(type, "type");
        return read(json.constructType(type), () -> json.readValue(message.bytes(), type));
    }

    private <T> T read(JavaType type, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (JacksonException e) {
            throw new IllegalArgumentException("A message of user " + user + " cannot be read as "
                    + type.toCanonical() + ": " + e.getOriginalMessage(), e);
        }
    }

    /** The content as text; bytes that are not UTF-8 become replacement characters. */
    public String text() {
        return new String(message.bytes(), StandardCharsets.UTF_8);
    }

    /** The content. */
    public byte[] bytes() {
        return message.bytes().clone();
    }
}
