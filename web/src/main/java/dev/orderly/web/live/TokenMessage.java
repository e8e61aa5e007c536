package dev.orderly.web.live;

import dev.orderly.live.Message;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
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
            if (!beginsAsToken(text)) {
                return Optional.empty();
            }
            JsonNode json = JsonMapper.shared().readTree(text);
            JsonNode token = json.path("token");
            return json.isObject() && json.size() == 1 && token.isString()
                    ? Optional.of(token.asString())
                    : Optional.empty();
        } catch (JacksonException _) {
            return Optional.empty();
        }
    }

    /** Whether the first name of the document is the token's; no other document is read as a whole. */
    private static boolean beginsAsToken(byte[] text) {
        try (JsonParser json = JsonMapper.shared().createParser(text)) {
            return json.nextToken() == JsonToken.START_OBJECT && "token".equals(json.nextName());
        }
    }
}
