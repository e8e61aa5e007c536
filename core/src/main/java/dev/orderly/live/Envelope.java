package dev.orderly.live;

import dev.orderly.user.UserId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** A message and its receivers, encoded for the bus between nodes. */
record Envelope(Collection<UserId> receivers, Message message) {
    private static final int JSON = 1;
    private static final int TEXT = 2;
    private static final int BYTES = 3;

    byte[] write() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(message.bytes().length + 32 * receivers.size());
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(switch (message) {
                case Message.Json _ -> JSON;
                case Message.Text _ -> TEXT;
                case Message.Bytes _ -> BYTES;
            });
            out.writeByte(receivers.size());
            for (UserId user : receivers) {
                out.writeUTF(user.value());
            }
            out.write(message.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** @throws IllegalArgumentException if this version cannot read it */
    static Envelope read(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int kind = in.readByte();
            int count = in.readUnsignedByte();
            Set<UserId> receivers = new LinkedHashSet<>();
            for (int n = 0; n < count; n++) {
                receivers.add(new UserId(in.readUTF()));
            }
            byte[] content = in.readAllBytes();
            return new Envelope(receivers, switch (kind) {
                case JSON -> new Message.Json(content);
                case TEXT -> new Message.Text(content);
                case BYTES -> new Message.Bytes(content);
                default -> throw new IllegalArgumentException("A live message of another node has the unknown kind "
                        + kind);
            });
        } catch (IOException e) {
            throw new IllegalArgumentException("A live message of another node is cut short", e);
        }
    }
}
