package dev.orderly.web.live;

import dev.orderly.flow.Quota;
import dev.orderly.live.LiveEngine;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.LimitProblems;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import dev.orderly.web.problem.RequestFailures;
import dev.orderly.web.route.RequestRouter.Match;
import dev.orderly.web.user.Authentication;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Live connections at {@code /.orderly/live}: decides on each connection, before the handshake if possible, and keeps
 * the connections alive. Thread-safe. Started once and closed once; closing it leaves the open connections to the
 * listener and the engine.
 */
public final class LiveHandler implements EdgeHandler, AutoCloseable {
    private static final String PATH = "/.orderly/live";
    private static final Duration STOP = Duration.ofSeconds(2);

    private final LiveEngine engine;
    private final LiveAccess access;
    private final LiveTimes times;
    private final Heartbeat heartbeat;
    private final LiveUpgrade sockets;
    private final RequestFailures failures;

    public LiveHandler(LiveEngine engine, LiveAccess access, LiveTimes times, Time time, LiveUpgrade sockets) {
        this.engine = engine;
        this.access = access;
        this.times = times;
        this.sockets = sockets;
        this.heartbeat = new Heartbeat(time);
        this.failures = new RequestFailures(time);
    }

    /** Starts the pings and timeouts of connections. */
    public void start() {
        heartbeat.start();
    }

    @Override
    public void close() {
        heartbeat.stop(STOP);
    }

    public LiveEngine engine() {
        return engine;
    }

    public LiveTimes times() {
        return times;
    }

    public Heartbeat heartbeat() {
        return heartbeat;
    }

    /**
     * The user of a token. Blocks.
     *
     * @return unavailable if the token cannot be verified now
     */
    Authentication verify(String token) {
        try {
            return access.users().verify(token);
        } catch (RuntimeException e) {
            return new Authentication.Unavailable(failures.problem(e).detail());
        }
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        return request.path().wire().equals(PATH)
                ? connect(request, () -> access.users().of(request.head()))
                : next.match(request);
    }

    /**
     * Decides on a request whose path is that of live connections.
     *
     * @param sender supplies the sender; may block for a moment
     */
    public Match connect(EdgeRequest request, Supplier<Authentication> sender) {
        RequestHead head = request.head();
        if (!head.method().equals("GET")) {
            throw new ProblemException(
                    new Problem(ProblemType.METHOD_NOT_ALLOWED, "This path accepts GET only: use GET")
                            .withHeader("Allow", "GET"));
        }
        boolean upgrade = isUpgrade(head);
        if (!upgrade && !wantsEvents(head)) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "This path serves WebSockets and event streams: connect with a WebSocket,"
                            + " or send Accept: text/event-stream");
        }
        if (RequestHead.announcesBody(head.headers())) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "A request for a live connection has no body: leave it out");
        }
        if (upgrade && access.pages().isForeignOrigin(head)) {
            throw new ProblemException(ProblemType.FORBIDDEN,
                    "A page of another origin may not connect here: list its origin in"
                            + " users.origins, or serve it from this host");
        }
        String address = request.client().key();
        Quota.Taken likely = engine.look(address);
        if (likely != Quota.Taken.TAKEN) {
            throw new ProblemException(full(likely));
        }
        CompletableFuture<Match> decided = new CompletableFuture<>();
        Thread.ofVirtual().name("orderly-live-door").start(() -> {
            try {
                decided.complete(decide(head, address, upgrade, sender.get()));
            } catch (Throwable e) { // the answer reports it
                decided.completeExceptionally(e);
            }
        });
        return new Match.Deferred(decided);
    }

    private Match decide(RequestHead head, String address, boolean upgrade, Authentication sender) {
        if (!upgrade) {
            Authentication.Known known = sender.known();
            checkRoom(known.user());
            return new Match.Opened(List.of(),
                    stream -> new LiveEvents(this, stream, address).begin(known));
        }
        UserId user = sender.userOrNobody().orElse(null);
        if (user != null) {
            checkRoom(user);
        }
        return sockets.upgrade(this, head, address, sender instanceof Authentication.Known known ? known : null);
    }

    private void checkRoom(UserId user) {
        if (!engine.hasRoom(user)) {
            throw new ProblemException(noRoom());
        }
    }

    /** The refusal of a connection beyond the limit of its user. */
    static Problem noRoom() {
        return new Problem(ProblemType.TOO_MANY_CONNECTIONS, "Too many live connections of this user are open: close"
                + " one, or try again later").withHeader(Problems.RETRY_AFTER, "10");
    }

    /** The refusal of a connection beyond the limit of its address, or of all. */
    public Problem full(Quota.Taken taken) {
        return LimitProblems.of(taken, engine.limit(), "live connections open");
    }

    private static boolean isUpgrade(RequestHead head) {
        String upgrade = head.headers().get("Upgrade");
        return upgrade != null && upgrade.strip().equalsIgnoreCase("websocket");
    }

    private static boolean wantsEvents(RequestHead head) {
        return head.headers().getAll("Accept").stream()
                .anyMatch(accept -> accept.toLowerCase(Locale.ROOT).contains("text/event-stream"));
    }
}
