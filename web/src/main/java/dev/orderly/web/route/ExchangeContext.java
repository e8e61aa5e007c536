package dev.orderly.web.route;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.web.message.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Additions of a handler to the work of the handlers after it.
 *
 * @param forwarded request headers for the origin, in place of headers of these names from the client; unused if the
 *     request is not forwarded
 * @param answered headers for the client, beside those of the answer
 * @param traffic records the exchange with the origin, if there is one; null for no record
 * @param label the kind of the request in the listener's counts; null for the kind of its match
 * @param commands called on the event loop with each command in the origin's answer; must not block
 * @param ended called once on the event loop when the exchange has ended, with the status of the answer, or 0 if the
 *     client left before an answer began; must not block
 */
public record ExchangeContext(List<Header> forwarded, List<Header> answered, @Nullable OriginTraffic traffic,
        @Nullable RequestLabel label, Consumer<String> commands, IntConsumer ended) {
    /** No additions. */
    public static final ExchangeContext NONE = new ExchangeContext(List.of(), List.of(), null, null, _ -> {});

    /** Additions that do not depend on the end of the exchange. */
    public ExchangeContext(List<Header> forwarded, List<Header> answered, @Nullable OriginTraffic traffic,
            @Nullable RequestLabel label, Consumer<String> commands) {
        this(forwarded, answered, traffic, label, commands, _ -> {});
    }

    public ExchangeContext {
        forwarded = List.copyOf(forwarded);
        answered = List.copyOf(answered);
    }

    /** Whether the client gets a cookie: then no cache may keep the answer, whatever its author says. */
    public boolean setsCookie() {
        for (Header header : answered) {
            if (header.name().equalsIgnoreCase("Set-Cookie")) {
                return true;
            }
        }
        return false;
    }

    /** Headers for the client only. */
    public static ExchangeContext toAnswer(List<Header> answered) {
        return new ExchangeContext(List.of(), answered, null, null, _ -> {});
    }

    /** A label only. */
    public static ExchangeContext labelled(RequestLabel label) {
        return new ExchangeContext(List.of(), List.of(), null, label, _ -> {});
    }

    /** Nothing but an action at the end of the exchange. */
    public static ExchangeContext atEnd(IntConsumer ended) {
        return new ExchangeContext(List.of(), List.of(), null, null, _ -> {}, ended);
    }

    /** A copy with a further action at the end of the exchange. */
    public ExchangeContext andAtEnd(IntConsumer more) {
        return new ExchangeContext(forwarded, answered, traffic, label, commands, ended.andThen(more));
    }

    /** These additions and those of a later handler; the later {@code traffic} and {@code label} take precedence. */
    public ExchangeContext and(ExchangeContext inner) {
        if (equals(NONE)) {
            return inner;
        }
        return new ExchangeContext(joined(forwarded, inner.forwarded), joined(answered, inner.answered),
                inner.traffic == null ? traffic : inner.traffic, inner.label == null ? label : inner.label,
                commands.andThen(inner.commands), ended.andThen(inner.ended));
    }

    private static List<Header> joined(List<Header> one, List<Header> other) {
        List<Header> both = new ArrayList<>(one);
        both.addAll(other);
        return both;
    }
}
