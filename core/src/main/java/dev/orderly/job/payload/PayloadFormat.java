package dev.orderly.job.payload;

import dev.orderly.job.Payload;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.payload.PayloadTypes.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JavaType;

/** How the payloads of one queue are written and read. Thread-safe. */
public final class PayloadFormat {
    private static final String PARAMETER = "kind=";

    private final PayloadTypes<?> types;
    private final PayloadCodec codec;
    private final JavaType type;
    private final Map<String, JavaType> kindTypes = new LinkedHashMap<>();
    /** Content types by the class of the value. */
    private final Map<Class<?>, String> contentTypes = new LinkedHashMap<>();

    PayloadFormat(PayloadTypes<?> types, PayloadCodec codec) {
        types.checkWhole();
        this.types = types;
        this.codec = codec;
        this.type = codec.typeOf(types.type());
        types.kinds().values().forEach(kind -> {
            kindTypes.put(kind.name(), codec.typeOf(kind.type()));
            contentTypes.put(kind.type(), Payload.JSON + "; " + PARAMETER + kind.name());
        });
    }

    /** Whether handlers get the bytes as they are. */
    public boolean isRaw() {
        return types.isRaw();
    }

    /** Whether another format has the same types and kinds. */
    public boolean isLike(PayloadFormat other) {
        return types.isLike(other.types);
    }

    /**
     * The text, number or boolean at a JSON pointer of a payload; empty if there is none, or if the payload is not
     * JSON.
     */
    public Optional<String> valueAt(Payload payload, String pointer) {
        return codec.valueAt(payload, pointer);
    }

    /** @throws IllegalArgumentException if the value is of no declared kind, or Jackson cannot write it */
    public Payload encode(Object value) {
        if (contentTypes.isEmpty() || value instanceof Payload) {
            return codec.encode(value);
        }
        String contentType = contentTypes.get(value.getClass());
        if (contentType == null) {
            contentType = contentTypes.entrySet().stream().filter(each -> each.getKey().isInstance(value))
                    .map(Map.Entry::getValue).findFirst().orElseThrow(() -> new IllegalArgumentException("a "
                            + value.getClass().getName() + " is none of the kinds " + types.kinds().keySet()
                            + ": declare its class with kind(name, class)"));
        }
        return codec.json(contentType, value);
    }

    /**
     * Reads a payload.
     *
     * @throws UnreadablePayloadException if another version may read it: its kind is unknown, or it does not fit the
     *     type
     * @throws Unprocessable if no version could read it: it is not what its content type says; the message says why
     */
    public Object decode(Payload payload) {
        if (type.hasRawClass(Payload.class)) {
            return payload;
        }
        if (type.hasRawClass(byte[].class)) {
            return payload.bytes();
        }
        if (kindTypes.isEmpty() && payload.contentType().equals(Payload.JSON)) {
            return codec.decode(payload, type, this, types.changes());
        }
        String name = kindOf(payload);
        if (kindTypes.isEmpty()) {
            if (!name.isEmpty()) {
                throw new UnreadablePayloadException("The payload (" + payload + ") is of kind " + name
                        + ", and this version of the queue has no kinds");
            }
            return codec.decode(payload, type, this, types.changes());
        }
        Kind kind = types.find(name);
        if (kind == null) {
            throw new UnreadablePayloadException("The payload (" + payload + ") is of "
                    + (name.isEmpty() ? "no kind" : "kind " + name) + ", and this version knows "
                    + types.kinds().keySet());
        }
        return codec.decode(payload, Objects.requireNonNull(kindTypes.get(kind.name())), this, kind.changes());
    }

    boolean refusesUnknown() {
        return types.refusesUnknown();
    }

    PayloadChanges changes() {
        return types.changes();
    }

    /** The name of the kind; empty for none. */
    static String kindOf(Payload payload) {
        String contentType = payload.contentType();
        int from = contentType.indexOf(';');
        while (from >= 0) {
            int until = contentType.indexOf(';', from + 1);
            String parameter = contentType.substring(from + 1, until < 0 ? contentType.length() : until).strip();
            if (parameter.regionMatches(true, 0, PARAMETER, 0, PARAMETER.length())) {
                return parameter.substring(PARAMETER.length()).replace("\"", "");
            }
            from = until;
        }
        return "";
    }

    @Override
    public String toString() {
        return types.toString();
    }
}
