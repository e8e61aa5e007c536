package dev.orderly.web.edge;

import dev.orderly.Internal;
import dev.orderly.web.message.Header;
import dev.orderly.web.route.ExchangeContext;
import dev.orderly.web.route.RequestRouter.Match;
import java.time.Duration;
import java.util.List;

/**
 * Adds {@code Strict-Transport-Security} (RFC 6797) to answers over TLS. An origin that sends the header itself takes
 * precedence, since browsers read the first one.
 */
@Internal(to = "dev.orderly")
public final class StrictTransport implements EdgeHandler {
    private final ExchangeContext header;

    /** @param age for which browsers use this host over TLS only; zero ends that */
    public StrictTransport(Duration age) {
        this.header = ExchangeContext
                .toAnswer(List.of(new Header("Strict-Transport-Security", "max-age=" + age.toSeconds())));
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        Match match = next.match(request);
        return request.sender().isSecure() ? match.with(header) : match;
    }
}
