package dev.orderly.web.room;

import dev.orderly.flow.Quota;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.route.ExchangeContext;
import dev.orderly.web.route.RequestRouter.Match;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The built-in rules of a room for requests that no visitor waits for, and the bound on them, since any client can send
 * them: {@code GET} and {@code HEAD}, without query and body, of {@code robots.txt}, the icon, the site map, and paths
 * below {@code /.well-known/}; and CORS preflights, which browsers send without cookies. Beyond the bound they wait in
 * line like others. Thread-safe, never blocks.
 */
final class BuiltInBypass {
    private static final List<RequestPattern> PATHS = List.of(RequestPattern.parse("/robots.txt"),
            RequestPattern.parse("/favicon.ico"), RequestPattern.parse("/sitemap.xml"),
            RequestPattern.parse("/.well-known/**"));

    private final Quota<String> quota;

    /** @param most requests at once; half as many of one address */
    BuiltInBypass(int most) {
        this.quota = new Quota<>(new Quota.Limit(most, (most + 1) / 2));
    }

    /** Lets a request through until its exchange has ended; null if no rule is for it, or the bound is reached. */
    @Nullable
    Match match(VisitorRequest caller, EdgeHandler.Next next) {
        if (!mayPass(caller)) {
            return null;
        }
        String address = caller.addressKey();
        if (quota.take(address) != Quota.Taken.TAKEN) {
            return null;
        }
        AtomicBoolean given = new AtomicBoolean();
        try {
            return next.match(caller.request()).with(ExchangeContext.atEnd(_ -> {
                if (!given.getAndSet(true)) {
                    quota.give(address);
                }
            }));
        } catch (RuntimeException e) {
            quota.give(address);
            throw e;
        }
    }

    private static boolean mayPass(VisitorRequest caller) {
        return (caller.isPreflight() || isPublicFile(caller))
                && !RequestHead.announcesBody(caller.head().headers());
    }

    private static boolean isPublicFile(VisitorRequest caller) {
        boolean reads = caller.method().equals("GET") || caller.method().equals("HEAD");
        if (!reads || caller.query() != null) {
            return false;
        }
        for (RequestPattern path : PATHS) {
            if (path.surelyMatches(caller.path(), null)) {
                return true;
            }
        }
        return false;
    }
}
