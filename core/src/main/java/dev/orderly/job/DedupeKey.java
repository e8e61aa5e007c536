package dev.orderly.job;

import dev.orderly.user.UserId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a push among pushes of the same scope: the first 128 bits of SHA-256 over the scope (queue, and group
 * on a FIFO queue) and the dedupe id or the content. Stores compare keys only.
 */
public record DedupeKey(long high, long low) {
    /** The key of an id chosen by the pusher. */
    public static DedupeKey ofId(QueueName queue, @Nullable String group, String dedupeId) {
        Objects.requireNonNull(dedupeId, "dedupeId");
        return ofId(queue, group, dedupeId, null);
    }

    /** The key of an id that belongs to an owner, such as a user; null for no owner. */
    public static DedupeKey ofId(QueueName queue, @Nullable String group, String dedupeId, @Nullable String owner) {
        Objects.requireNonNull(dedupeId, "dedupeId");
        Hash hash = scoped(queue, group).text("id").text(dedupeId);
        return (owner == null ? hash : hash.text(owner)).key();
    }

    /** The hash of a unique key that belongs to an owner, such as a user; null for no owner. */
    public static DedupeKey ofUnique(QueueName queue, @Nullable String group, String unique, @Nullable String owner) {
        Objects.requireNonNull(unique, "unique");
        Hash hash = scoped(queue, group).text("unique").text(unique);
        return (owner == null ? hash : hash.text(owner)).key();
    }

    /** The hash of a debounce key that belongs to an owner, such as a user; null for no owner. */
    public static DedupeKey ofDebounce(QueueName queue, String debounce, @Nullable String owner) {
        Objects.requireNonNull(debounce, "debounce");
        Hash hash = scoped(queue, null).text("debounce").text(debounce);
        return (owner == null ? hash : hash.text(owner)).key();
    }

    /**
     * A hash of what a push asks for: content type, payload, params and user. The fingerprint of a job with a dedupe
     * id. Equal jobs of different users, and equal bodies sent to different paths, therefore have different keys.
     */
    public static DedupeKey ofContent(QueueName queue, PushRequest request) {
        return content(queue, request).key();
    }

    /**
     * The key of a push without a dedupe id: its content, and inside a handler the job of the handler. A handler that
     * pushes an equal payload goes on, and its next attempt pushes nothing twice.
     */
    public static DedupeKey ofPush(QueueName queue, PushRequest request) {
        JobId parent = request.parent();
        Hash hash = content(queue, request);
        return (parent == null ? hash : hash.text("parent").text(parent.toString())).key();
    }

    private static Hash content(QueueName queue, PushRequest request) {
        Hash hash = scoped(queue, request.group()).text("content");
        DedupeKey form = request.formFingerprint();
        if (form == null) {
            hash.text(request.payload().contentType()).bytes(request.payload().bytes());
        } else {
            hash.text("form").bytes(form.bytes());
        }
        new TreeMap<>(request.params()).forEach((name, value) -> hash.text(name).text(value));
        return hash.optional(UserId.column(request.user()));
    }

    /** The key as 16 bytes. */
    public byte[] bytes() {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
    }

    /** The key of a list of byte strings, each hashed with its length. For fingerprints outside a queue. */
    public static DedupeKey of(byte[]... parts) {
        Objects.requireNonNull(parts, "parts");
        Hash hash = new Hash();
        for (byte[] part : parts) {
            hash.bytes(part);
        }
        return hash.key();
    }

    private static Hash scoped(QueueName queue, @Nullable String group) {
        return new Hash().text(queue.value()).optional(group);
    }

    /** SHA-256 over parts, each preceded by its length so that no two lists of parts collide by joining. */
    private static final class Hash {
        private final MessageDigest digest;

        Hash() {
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Every JDK has SHA-256", e);
            }
        }

        Hash bytes(byte[] part) {
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
            digest.update(part);
            return this;
        }

        Hash text(String part) {
            return bytes(part.getBytes(StandardCharsets.UTF_8));
        }

        Hash optional(@Nullable String part) {
            return part == null ? bytes(new byte[0]) : bytes(new byte[]{1}).text(part);
        }

        DedupeKey key() {
            ByteBuffer sum = ByteBuffer.wrap(digest.digest());
            return new DedupeKey(sum.getLong(), sum.getLong());
        }
    }
}
