package dev.orderly.store.copy;

import dev.orderly.history.HistoryFigures;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Count and checksum of records in any order: the sum of the first 128 bits of the SHA-256 of each record. A record is
 * hashed with all its components, found by reflection, so that none can be left out by mistake. Not thread-safe.
 */
public final class CopySum {
    private final Map<Class<?>, RecordComponent[]> components = new HashMap<>();

    private final MessageDigest digest;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private long count;
    private long high;
    private long low;

    public CopySum() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    /** Adds a record. */
    public void add(CopiedRecord each) {
        try {
            write(each);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ByteBuffer hash = ByteBuffer.wrap(digest.digest(bytes.toByteArray()));
        bytes.reset();
        count++;
        high += hash.getLong();
        low += hash.getLong();
    }

    public long count() {
        return count;
    }

    /** The checksum as 32 hexadecimal digits. */
    public String checksum() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }

    /** Writes a value with its type or length, so that no two values are written the same way. */
    private void write(@Nullable Object value) throws IOException {
        switch (value) {
            case null -> out.writeByte(0);
            case String text -> bytes('s', text.getBytes(StandardCharsets.UTF_8));
            case byte[] raw -> bytes('b', raw);
            case HistoryFigures figures -> bytes('h', figures.stored());
            case Boolean truth -> number('t', truth ? 1 : 0);
            case Integer number -> number('n', number);
            case Long number -> number('n', number);
            case Double number -> number('f', Double.doubleToLongBits(number));
            case Instant moment -> number('i', moment.toEpochMilli());
            case ZonedDateTime time -> bytes('z', time.toString().getBytes(StandardCharsets.UTF_8));
            case Duration span -> number('d', span.toMillis());
            case UUID id -> {
                number('u', id.getMostSignificantBits());
                out.writeLong(id.getLeastSignificantBits());
            }
            case Enum<?> constant -> bytes('e', constant.name().getBytes(StandardCharsets.UTF_8));
            case Map<?, ?> map -> {
                number('m', map.size());
                for (Map.Entry<?, ?> each : new TreeMap<>(map).entrySet()) {
                    write(each.getKey());
                    write(each.getValue());
                }
            }
            case Collection<?> all -> {
                number('l', all.size());
                for (Object each : all) {
                    write(each);
                }
            }
            case Record each -> components(each);
            default -> throw new IllegalStateException("A copied record has a " + value.getClass().getName()
                    + ": teach CopySum to write it");
        }
    }

    private void components(Record of) throws IOException {
        out.writeByte('r');
        for (RecordComponent each : components.computeIfAbsent(of.getClass(), Class::getRecordComponents)) {
            try {
                write(each.getAccessor().invoke(of));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("Component " + each + " cannot be read", e);
            }
        }
    }

    private void bytes(char type, byte[] content) throws IOException {
        out.writeByte(type);
        out.writeInt(content.length);
        out.write(content);
    }

    private void number(char type, long value) throws IOException {
        out.writeByte(type);
        out.writeLong(value);
    }
}
