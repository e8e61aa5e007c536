package dev.orderly.job.payload;

import dev.orderly.job.Payload;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * The payloads of a queue: one type, or several kinds that have names. The name of a kind is stored with each job, as
 * the parameter {@code kind} of its content type, such as {@code application/json; kind=order-paid}; names of classes
 * are not stored. Immutable.
 *
 * {@snippet :
 * PayloadTypes<OrderEvent> events = PayloadTypes.of(OrderEvent.class)
 *         .kind("order-paid", OrderPaid.class, PayloadChanges.NONE.rename("sum", "amount"))
 *         .kind("order-sent", OrderSent.class).alias("order-shipped", "order-sent");
 * }
 *
 * <p>It is a {@code Type}, so that it goes wherever a queue is declared by its type.
 *
 * @param <T> the type that handlers take
 */
public final class PayloadTypes<T> implements Type {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

    private final Type type;
    private final PayloadChanges changes;
    private final Map<String, Kind> kinds;
    /** Kinds by their earlier names; the empty name for payloads without one. */
    private final Map<String, String> aliases;
    private final boolean refusesUnknown;

    record Kind(String name, Class<?> type, PayloadChanges changes) {}

    private PayloadTypes(Type type, PayloadChanges changes, Map<String, Kind> kinds, Map<String, String> aliases,
            boolean refusesUnknown) {
        this.type = type;
        this.changes = changes;
        this.kinds = kinds;
        this.aliases = aliases;
        this.refusesUnknown = refusesUnknown;
    }

    /** Payloads of one type; or of a common type of the kinds to add, such as a sealed interface. */
    public static <T> PayloadTypes<T> of(Class<T> type) {
        Objects.requireNonNull(type, "type");
        return ofType(type);
    }

    /** Payloads of one generic type. */
    public static <T> PayloadTypes<T> of(TypeReference<T> type) {
        return ofType(type.getType());
    }

    /** As {@link #of(Class)}, for a type that is known at run time only. */
    public static <T> PayloadTypes<T> ofType(Type type) {
        Objects.requireNonNull(type, "type");
        return new PayloadTypes<>(type, PayloadChanges.NONE, Map.of(), Map.of(), false);
    }

    /** As {@link #kind(String, Class, PayloadChanges)}, without changes. */
    public PayloadTypes<T> kind(String name, Class<? extends T> kind) {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        return kind(name, kind, PayloadChanges.NONE);
    }

    /**
     * Adds a kind.
     *
     * @param name 1 to 64 lower-case letters, digits, dots, dashes and underscores; never used for anything else again
     * @throws IllegalArgumentException if the name breaks its rule or is in use, or the class is
     */
    public PayloadTypes<T> kind(String name, Class<? extends T> kind, PayloadChanges since) {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(since, "since");
        check(name);
        Map<String, Kind> all = new LinkedHashMap<>(kinds);
        for (Kind other : kinds.values()) {
            if (other.type.equals(kind)) {
                throw new IllegalArgumentException("The class " + kind.getName() + " is the kind " + other.name
                        + " already: a class has one kind, add alias(\"" + name + "\", \"" + other.name + "\")");
            }
        }
        all.put(name, new Kind(name, kind, since));
        return new PayloadTypes<>(type, changes, all, aliases, refusesUnknown);
    }

    /**
     * Adds an earlier name of a kind.
     *
     * @throws IllegalArgumentException if the name breaks its rule or is in use, or the kind is not declared
     */
    public PayloadTypes<T> alias(String earlier, String kind) {
        Objects.requireNonNull(earlier, "earlier");
        Objects.requireNonNull(kind, "kind");
        check(earlier);
        return aliased(earlier, kind);
    }

    /**
     * Names the kind of payloads that were stored without one, such as before the queue had kinds, or by a client over
     * HTTP.
     *
     * @throws IllegalArgumentException if the kind is not declared
     */
    public PayloadTypes<T> withoutKind(String kind) {
        Objects.requireNonNull(kind, "kind");
        return aliased("", kind);
    }

    private PayloadTypes<T> aliased(String earlier, String kind) {
        if (!kinds.containsKey(kind)) {
            throw new IllegalArgumentException("Kind " + kind + " is not declared: call kind(\"" + kind
                    + "\", …) before its alias; declared are " + kinds.keySet());
        }
        Map<String, String> all = new TreeMap<>(aliases);
        all.put(earlier, kind);
        return new PayloadTypes<>(type, changes, kinds, all, refusesUnknown);
    }

    private void check(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The kind \"" + name + "\" breaks the rule of its name: use 1 to 64"
                    + " lower-case letters, digits, dots, dashes and underscores, beginning with a letter or digit");
        }
        if (kinds.containsKey(name) || aliases.containsKey(name)) {
            throw new IllegalArgumentException("The kind " + name + " is declared twice: use another name");
        }
    }

    /** Changes of all payloads of the queue, applied before those of their kind. */
    public PayloadTypes<T> changed(PayloadChanges since) {
        Objects.requireNonNull(since, "since");
        return new PayloadTypes<>(type, since, kinds, aliases, refusesUnknown);
    }

    /**
     * Makes a payload with a field that its type does not have unreadable; by default such fields are left out. For
     * fields whose loss would be worse than a wait.
     */
    public PayloadTypes<T> refusingUnknownFields() {
        return new PayloadTypes<>(type, changes, kinds, aliases, true);
    }

    Type type() {
        return type;
    }

    PayloadChanges changes() {
        return changes;
    }

    Map<String, Kind> kinds() {
        return kinds;
    }

    boolean refusesUnknown() {
        return refusesUnknown;
    }

    /** The kind of this name, or of this earlier name; empty for payloads without a name. Null if it is unknown. */
    @Nullable
    Kind find(String name) {
        return kinds.get(aliases.getOrDefault(name, name));
    }

    /** Whether the bytes are given to the handler as they are. */
    boolean isRaw() {
        return type.equals(Payload.class) || type.equals(byte[].class);
    }

    /** @throws IllegalArgumentException if a class of a sealed type is no kind */
    void checkWhole() {
        if (!kinds.isEmpty() && type instanceof Class<?> root && root.isSealed()) {
            List<String> missing = new ArrayList<>();
            missing(root, missing);
            if (!missing.isEmpty()) {
                throw new IllegalArgumentException("The sealed " + root.getName() + " permits classes without a kind: "
                        + missing + "; declare each with kind(name, class)");
            }
        }
    }

    private void missing(Class<?> of, List<String> missing) {
        for (Class<?> permitted : of.getPermittedSubclasses()) {
            if (permitted.isSealed()) {
                missing(permitted, missing);
            } else if (!Modifier.isAbstract(permitted.getModifiers())
                    && kinds.values().stream().noneMatch(kind -> kind.type.isAssignableFrom(permitted))) {
                missing.add(permitted.getName());
            }
        }
    }

    /** Whether types and names are the same; the code of changes cannot be compared. */
    boolean isLike(PayloadTypes<?> other) {
        return type.equals(other.type) && aliases.equals(other.aliases) && refusesUnknown == other.refusesUnknown
                && names().equals(other.names());
    }

    private Map<String, Class<?>> names() {
        Map<String, Class<?>> names = new TreeMap<>();
        kinds.values().forEach(kind -> names.put(kind.name, kind.type));
        return names;
    }

    @Override
    public String toString() {
        return type.getTypeName() + (kinds.isEmpty() ? "" : " of kinds " + kinds.keySet());
    }
}
