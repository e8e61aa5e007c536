package dev.orderly.http.route;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.http.message.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a site in front of another one adds to whatever that one does with a request.
 *
 * @param forwarded request headers for the origin, in place of any the client sent under those names; nothing if the
 *     request is answered here
 * @param answered headers for the client, beside those of the answer, whoever makes it
 * @param traffic is told how the origin did, if the request goes to one; null for nobody
 * @param commands is told, on the event loop, each command the origin sends in its answer; must not block
 */
public record ExchangeAdditions(List<Header> forwarded, List<Header> answered, @Nullable OriginTraffic traffic,
        Consumer<String> commands) {
    /** Nothing. */
    public static final ExchangeAdditions NONE = new ExchangeAdditions(List.of(), List.of(), null, _ -> {});

    public ExchangeAdditions {
        forwarded = List.copyOf(forwarded);
        answered = List.copyOf(answered);
    }

    /** Only headers for the client. */
    public static ExchangeAdditions toAnswer(List<Header> answered) {
        return new ExchangeAdditions(List.of(), answered, null, _ -> {});
    }

    /** These, and what a site behind adds; of two that measure the inner one does. */
    public ExchangeAdditions and(ExchangeAdditions inner) {
        if (equals(NONE)) {
            return inner;
        }
        return new ExchangeAdditions(joined(forwarded, inner.forwarded), joined(answered, inner.answered),
                inner.traffic == null ? traffic : inner.traffic, commands.andThen(inner.commands));
    }

    private static List<Header> joined(List<Header> one, List<Header> other) {
        List<Header> both = new ArrayList<>(one);
        both.addAll(other);
        return both;
    }
}
