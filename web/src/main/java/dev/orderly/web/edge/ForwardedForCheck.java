package dev.orderly.web.edge;

import dev.orderly.Internal;
import dev.orderly.flow.LogLimit;
import dev.orderly.time.Time;
import dev.orderly.web.route.RequestRouter.Match;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A warning, once a minute, of requests with {@code X-Forwarded-For} or {@code X-Forwarded-Proto: https} whose peer is
 * no trusted proxy. The headers are ignored, so all clients behind that peer share the limits of one address, and their
 * cookies are not bound to TLS: behind a proxy that was not declared, a shop's customers are locked out.
 */
@Internal(to = "dev.orderly")
public final class ForwardedForCheck implements EdgeHandler {
    /** What trusts a proxy of the server: a part of a sentence about "it". */
    public static final String NAME_IT = "name its address in edge.trusted-proxies";

    private static final Logger LOG = LoggerFactory.getLogger(ForwardedForCheck.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final LogLimit warnings;
    private final String remedy;

    /** @param remedy what trusts a proxy, such as {@link #NAME_IT} */
    public ForwardedForCheck(Time time, String remedy) {
        this.warnings = new LogLimit(LOG, time, PERIOD);
        this.remedy = remedy;
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        if (request.sender().isForwardedInVain()) {
            warnings.warn("X-Forwarded-For from {} is ignored, since it is no trusted proxy: all visitors behind it"
                    + " count as one address. If it is your proxy or load balancer, {}; if not, a client made the"
                    + " header up", request.head().peer(), remedy);
        } else if (request.sender().isSecureInVain()) {
            warnings.warn("X-Forwarded-Proto from {} is ignored, since it is no trusted proxy: visitors behind it count"
                    + " as without TLS, and browsers may drop the cookies of rooms. If it is your proxy or load"
                    + " balancer, {}; if not, a client made the header up", request.head().peer(), remedy);
        }
        return next.match(request);
    }
}
