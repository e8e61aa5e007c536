package dev.orderly.web.edge;

import dev.orderly.flow.LogLimit;
import dev.orderly.time.Time;
import dev.orderly.web.route.RequestRouter.Match;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A warning, once a minute, of requests with {@code X-Forwarded-For} whose peer is no trusted proxy. The header is
 * ignored, so all clients behind that peer share the limits of one address: behind a proxy that was not declared, a
 * shop's customers are locked out.
 */
public final class ForwardedForCheck implements EdgeHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ForwardedForCheck.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final LogLimit warnings;

    public ForwardedForCheck(Time time) {
        this.warnings = new LogLimit(LOG, time, PERIOD);
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        if (request.sender().isForwardedInVain()) {
            warnings.warn(
                    "X-Forwarded-For from {} is ignored, since it is no trusted proxy: all visitors behind it count"
                            + " as one address. If it is your proxy or load balancer, add it to "
                            + "edge.trusted-proxies; if not,"
                            + " a client made the header up",
                    request.head().peer());
        }
        return next.match(request);
    }
}
