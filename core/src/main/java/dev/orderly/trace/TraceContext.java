package dev.orderly.trace;

import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The position of a request in a trace, as <a href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a> writes
 * it into headers.
 *
 * @param parent the value of {@code traceparent}, version 00
 * @param state the value of {@code tracestate}, 1 to {@value #STATE_MAX} characters; null for none
 */
public record TraceContext(String parent, @Nullable String state) {
    /** The header with trace, span and flags. */
    public static final String PARENT = "traceparent";
    /** The header with the entries of tracing systems. */
    public static final String STATE = "tracestate";
    /** The most characters of {@code tracestate} that are kept; of a longer value the last entries are dropped. */
    public static final int STATE_MAX = 512;

    private static final int PARENT_LENGTH = 55;
    private static final int SENT_MAX = 8 << 10;
    private static final Pattern FORM = Pattern.compile(
            "(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<span>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<rest>-.*)?");
    private static final int SAMPLED = 1;
    private static final int RANDOM = 2;

    /** @throws IllegalArgumentException if the parent is none of version 00, or the state is too long */
    public TraceContext {
        Objects.requireNonNull(parent, "parent");
        if (!isParent(parent)) {
            throw new IllegalArgumentException("Not a traceparent of version 00: " + parent);
        }
        if (state != null && (state.isEmpty() || state.length() > STATE_MAX)) {
            throw new IllegalArgumentException(
                    "A tracestate of " + state.length() + " characters: use 1 to " + STATE_MAX);
        }
    }

    /**
     * Reads the headers of a request. A parent that is malformed, or occurs several times, counts as none, and then the
     * state does too; a state that is malformed counts as none. Of a later version, the fields of version 00 count.
     *
     * @param parents all values of {@code traceparent}
     * @param states all values of {@code tracestate}, in their order
     * @return null for none
     */
    public static @Nullable TraceContext of(List<String> parents, List<String> states) {
        Objects.requireNonNull(states, "states");
        if (parents.size() != 1 || parents.getFirst().length() > SENT_MAX) {
            return null;
        }
        Matcher form = FORM.matcher(parents.getFirst().strip());
        if (!form.matches() || form.group("version").equals("ff") || isZero(form.group("trace"))
                || isZero(form.group("span")) || (form.group("version").equals("00") && form.group("rest") != null)) {
            return null;
        }
        int flags = Integer.parseInt(form.group("flags"), 16) & (SAMPLED | RANDOM);
        return new TraceContext("00-" + form.group("trace") + "-" + form.group("span") + "-0" + flags,
                states.isEmpty() ? null : state(states));
    }

    /** The entries that fit; null for none. */
    private static @Nullable String state(List<String> states) {
        String all = String.join(",", states);
        if (all.length() > SENT_MAX || !all.chars().allMatch(c -> (c >= ' ' && c <= '~') || c == '\t')) {
            return null;
        }
        StringBuilder kept = new StringBuilder();
        for (String entry : all.split(",", -1)) {
            String member = entry.strip();
            if (!member.isEmpty() && member.indexOf('=') < 1) {
                return null;
            }
            if (kept.length() + 1 + member.length() > STATE_MAX) {
                break;
            }
            kept.append(member.isEmpty() || kept.isEmpty() ? "" : ",").append(member);
        }
        return kept.isEmpty() ? null : kept.toString();
    }

    private static boolean isParent(String text) {
        return text.length() == PARENT_LENGTH && text.startsWith("00-") && FORM.matcher(text).matches();
    }

    private static boolean isZero(String digits) {
        return digits.chars().allMatch(c -> c == '0');
    }

    /** The id of the trace: 32 hexadecimal digits. */
    public String traceId() {
        return parent.substring(3, 35);
    }

    /** The id of the span that is the parent of what follows: 16 hexadecimal digits. */
    public String spanId() {
        return parent.substring(36, 52);
    }

    /** Whether the sender records the trace. */
    public boolean isSampled() {
        return (Character.digit(parent.charAt(54), 16) & SAMPLED) != 0;
    }

    /** The form in which stores keep a context: the parent, and after a space the state, if any. */
    public String stored() {
        return state == null ? parent : parent + " " + state;
    }

    /** The context of a column in the form of {@link #stored}; null for null. */
    public static @Nullable TraceContext ofStored(@Nullable String column) {
        return column == null
                ? null
                : new TraceContext(column.substring(0, PARENT_LENGTH),
                        column.length() == PARENT_LENGTH ? null : column.substring(PARENT_LENGTH + 1));
    }

    /** The column of a context: as {@link #stored}; null for null. */
    public static @Nullable String column(@Nullable TraceContext context) {
        return context == null ? null : context.stored();
    }
}
