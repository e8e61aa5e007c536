package dev.orderly.http;

import dev.orderly.http.acme.OpenChallenges;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ClientKeys;
import dev.orderly.http.listener.Clients;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.RequestRouter.Match;
import java.util.function.IntSupplier;

/**
 * A listener without TLS that sends every request to the same host, path and query over TLS (308), except the paths of
 * ACME. It reaches no origin and sets no cookie. Thread-safe; started once.
 */
public final class RedirectServer implements AutoCloseable {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private final BindAddress bind;
    private final IntSupplier target;
    private final OpenChallenges challenges;
    private final HttpListener listener;

    /**
     * Creates a listener that does not listen yet.
     *
     * @param target the port of the edge
     * @param challenges answered here
     */
    public RedirectServer(BindAddress bind, HttpLimits limits, IntSupplier target, OpenChallenges challenges) {
        this.challenges = challenges;
        this.bind = bind;
        this.target = target;
        this.listener = new HttpListener("redirect", bind, limits, Clients.by(ClientKeys.PEERS), _ -> this::match);
    }

    private Match match(RequestHead head) {
        if (head.path().startsWith(OpenChallenges.PATH)) {
            return new Match.Immediate(challenges.answer(head.path()).map(answer -> Response.text(200, answer))
                    .orElseThrow(() -> new ProblemException(ProblemType.UNKNOWN_PATH,
                            "No certificate is being requested with this token")));
        }
        if (!head.path().startsWith("/")) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "The request's target is not a path: start it with a slash");
        }
        String query = head.query() == null ? "" : "?" + head.query();
        return new Match.Immediate(Response.text(308, "This site is served over https.\n")
                .withHeader("Location", "https://" + head.host() + port(head) + head.path() + query));
    }

    /**
     * The port of the URL. A request for another port than this one came through a mapping of ports, which is taken to
     * map 443 too.
     */
    private String port(RequestHead head) {
        String host = String.valueOf(head.headers().get("Host"));
        String named = host.substring(head.host().length());
        int asked = named.isEmpty() ? HTTP : Integer.parseInt(named.substring(1));
        int own = bind.port() == 0 ? listener.port() : bind.port();
        int edge = target.getAsInt();
        return asked != own || edge == HTTPS ? "" : ":" + edge;
    }

    /** As {@link EdgeServer#start}. */
    public void start() {
        listener.start();
    }

    /** As {@link EdgeServer#port}. */
    public int port() {
        return listener.port();
    }

    /** As {@link EdgeServer#close}. */
    @Override
    public void close() {
        listener.close();
    }
}
