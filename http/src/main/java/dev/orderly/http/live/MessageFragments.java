package dev.orderly.http.live;

import dev.orderly.live.Message;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketFrame;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Assembles a message from its frames. */
final class MessageFragments {
    private @Nullable Buffer parts;
    private boolean text;

    /** The outcome of a frame. */
    sealed interface Result {
        /** More frames of the message follow. */
        record Partial() implements Result {}

        /** @param message if text, valid UTF-8 */
        record Whole(Message message) implements Result {}

        record TooLarge() implements Result {}

        /** A text message is not UTF-8. */
        record Malformed() implements Result {}
    }

    /** Adds a frame of text, bytes, or a continuation. The codec has verified their sequence. */
    Result add(WebSocketFrame frame) {
        if (!frame.isContinuation()) {
            text = frame.isText();
        }
        Buffer before = parts;
        Buffer data = frame.binaryData();
        int size = data.length() + (before == null ? 0 : before.length());
        if (size > Message.MAX) {
            parts = null;
            return new Result.TooLarge();
        }
        if (!frame.isFinal()) {
            parts = before == null ? data.copy() : before.appendBuffer(data);
            return new Result.Partial();
        }
        parts = null;
        byte[] bytes = before == null ? data.getBytes() : before.appendBuffer(data).getBytes();
        if (!text) {
            return new Result.Whole(new Message.Bytes(bytes));
        }
        return isUtf8(bytes) ? new Result.Whole(new Message.Text(bytes)) : new Result.Malformed();
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }
}
