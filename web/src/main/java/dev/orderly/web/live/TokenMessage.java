package dev.orderly.web.live;

import dev.orderly.live.Message;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A message of a client that is a token: <code>{"token": "..."}</code> and nothing else. */
final class TokenMessage {
    private static final int MAX = 16 << 10;

    private TokenMessage() {}

    /** The token; empty for any other message. */
    static Optional<String> read(Message message) {
        if (!(message instanceof Message.Text(byte[] text)) || text.length > MAX) {
            return Optional.empty();
        }
        try {
            JsonNode json = JsonMapper.shared().readTree(text);
            JsonNode token = json.path("token");
            return json.isObject() && json.size() == 1 && token.isString()
                    ? Optional.of(token.asString())
                    : Optional.empty();
        } catch (JacksonException _) {
            return Optional.empty();
        }
    }
}
