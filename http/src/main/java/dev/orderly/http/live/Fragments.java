package dev.orderly.http.live;

import dev.orderly.live.Message;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketFrame;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Puts the frames of a message together. */
final class Fragments {
    private @Nullable Buffer parts;
    private boolean text;

    /** What a frame brought about. */
    sealed interface Result {
        /** The message goes on. */
        record Partial() implements Result {}

        /** @param message text is UTF-8 */
        record Whole(Message message) implements Result {}

        record TooLarge() implements Result {}

        /** A text is not UTF-8. */
        record Malformed() implements Result {}
    }

    /** Adds a frame of text, bytes, or a continuation. The codec has seen to it that they follow each other rightly. */
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
