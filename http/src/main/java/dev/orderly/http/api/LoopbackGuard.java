package dev.orderly.http.api;

import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import dev.orderly.http.route.RequestRouter;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Protects an API that trusts every loopback client from web pages of other sites. A page that rebinds its own name to
 * 127.0.0.1 is detected by its Host header; a page that posts a form is detected by Origin and Sec-Fetch-Site, which
 * the browser sets and a page cannot change.
 */
public final class LoopbackGuard implements RequestRouter {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> OWN = Set.of("same-origin", "none");
    private static final Pattern PORT = Pattern.compile(":\\d*$");

    private final RequestRouter site;

    public LoopbackGuard(RequestRouter site) {
        this.site = site;
    }

    @Override
    public Match match(RequestHead head) {
        String host = head.header("Host");
        if (host == null || !BindAddress.isLoopback(PORT.matcher(host).replaceFirst(""))) {
            throw new Refusal(ProblemType.FORBIDDEN,
                    "The API answers only to 127.0.0.1, [::1] and localhost: use one of these in the URL");
        }
        if (!SAFE.contains(head.method())) {
            checkSource(head.header("Origin"), head.header("Sec-Fetch-Site"), host);
        }
        return site.match(head);
    }

    private static void checkSource(@Nullable String origin, @Nullable String site, String host) {
        boolean foreignOrigin = origin != null && !origin.equalsIgnoreCase("http://" + host);
        boolean foreignSite = site != null && !OWN.contains(site);
        if (foreignOrigin || foreignSite) {
            throw new Refusal(ProblemType.FORBIDDEN, "A page of another site may not change anything here: send the"
                    + " request from a program, or from a page of this address");
        }
    }
}
