package dev.orderly.store.postgres.sql;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * UUIDs as an array that is sent in binary over connections with {@link #BINARY}, and as a text over others, as the
 * driver's own arrays of UUIDs always are. None is null.
 */
public final class UuidArray extends PGobject implements PGBinaryObject {
    /** Value of the driver's property {@code binaryTransferEnable}. */
    public static final String BINARY = "UUID_ARRAY";

    private static final long serialVersionUID = 1L;
    private static final int OID = 2950;
    /** Dimensions, a flag for nulls, type of the elements, length and lower bound. */
    private static final int HEADER = 5 * Integer.BYTES;
    private static final int UUID_BYTES = 2 * Long.BYTES;

    private final transient List<? extends @Nullable Object> uuids;

    UuidArray(List<? extends @Nullable Object> uuids) {
        setType("_uuid");
        this.uuids = uuids;
    }

    @Override
    public String getValue() {
        return uuids.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
    }

    @Override
    public void setByteValue(byte[] value, int offset) {
        throw new UnsupportedOperationException("An array of UUIDs is only sent");
    }

    @Override
    public int lengthInBytes() {
        return uuids.isEmpty() ? 3 * Integer.BYTES : HEADER + uuids.size() * (Integer.BYTES + UUID_BYTES);
    }

    @Override
    public void toBytes(byte[] bytes, int offset) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, lengthInBytes());
        buffer.putInt(uuids.isEmpty() ? 0 : 1).putInt(0).putInt(OID);
        if (!uuids.isEmpty()) {
            buffer.putInt(uuids.size()).putInt(1);
            for (Object each : uuids) {
                if (each instanceof UUID uuid) {
                    buffer.putInt(UUID_BYTES).putLong(uuid.getMostSignificantBits())
                            .putLong(uuid.getLeastSignificantBits());
                }
            }
        }
    }
}
