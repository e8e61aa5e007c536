package dev.orderly.http.access;

import dev.orderly.access.Identity;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.Credential;
import dev.orderly.flow.LogLimit;
import dev.orderly.operate.Caller;
import dev.orderly.time.Time;
import dev.orderly.web.edge.ClientAddress;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Identification of the senders of requests: by bearer token, by session, or by the header of a trusted proxy, in this
 * order. A request with a credential is never taken for anything but the credential's
 * identity. Thread-safe.
 */
public final class AccessGate {
    private static final Logger LOG = LoggerFactory.getLogger(AccessGate.class);
    private static final String BEARER = "bearer ";
    private static final int DELAYED_MAX = 64;
    private static final String CHALLENGE = "Bearer realm=\"orderly\"";

    private final AccessControl control;
    private final AccessPolicy policy;
    private final Time time;
    private final FailureLimits failures;
    private final LoginLinks links;
    private final LogLimit failed;
    private final Semaphore delayed = new Semaphore(DELAYED_MAX);

    /** The sender of a request, as far as it can be told without the store. */
    sealed interface Sender {
        /** Identified. */
        record Known(Caller caller) implements Sender {}

        /** A credential that the store must verify. */
        record Presented(Credential credential, @Nullable String cookie) implements Sender {}

        /** No credential, or a text that is none. */
        record Unknown(boolean presented) implements Sender {}
    }

    /** @param time monotonic time for delays and limits */
    public AccessGate(AccessControl control, AccessPolicy policy, Time time) {
        this.control = control;
        this.policy = policy;
        this.time = time;
        this.failures = new FailureLimits(time);
        this.links = new LoginLinks(time);
        this.failed = new LogLimit(LOG, time);
    }

    public AccessControl control() {
        return control;
    }

    public AccessPolicy policy() {
        return policy;
    }

    /** The links that sign browsers in. */
    public LoginLinks links() {
        return links;
    }

    /** The address of a request's client, behind trusted proxies too. */
    public String address(RequestHead head) {
        return ClientAddress.of(head, policy.proxy().proxies()).address().getHostAddress();
    }

    /** Determines the sender from memory. Never blocks. */
    Sender sender(RequestHead head) {
        Optional<Identity> named = policy.proxy().identity(head);
        String authorization = head.header("Authorization");
        boolean bearer = authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith(BEARER);
        String token = bearer ? String.valueOf(authorization).substring(BEARER.length()).strip() : "";
        if (authorization != null && (named.isEmpty() || token.startsWith(TokenSecret.PREFIX))) {
            return presented(Credential.Token.of(token).orElse(null), null, head);
        }
        Optional<String> cookie = SessionCookie.read(head, policy.isSecure(head));
        if (cookie.isPresent()) {
            return presented(Credential.Session.of(cookie.get()), cookie.get(), head);
        }
        return named.<Sender>map(identity -> new Sender.Known(caller(identity, head, null)))
                .orElseGet(() -> new Sender.Unknown(false));
    }

    private Sender presented(@Nullable Credential credential, @Nullable String cookie, RequestHead head) {
        if (credential == null) {
            return new Sender.Unknown(true);
        }
        return control.known(credential).<Sender>map(identity -> new Sender.Known(caller(identity, head, cookie)))
                .orElseGet(() -> new Sender.Presented(credential, cookie));
    }

    private Caller caller(Identity identity, RequestHead head, @Nullable String cookie) {
        return new Caller(identity, address(head), cookie == null ? null : SessionCookie.csrf(cookie));
    }

    /**
     * Verifies a credential with the store. Blocks, at most for some seconds if it fails.
     *
     * @throws ProblemException 401 if it does not count, 429 if too many of its address did not
     */
    Caller verify(Sender.Presented presented, RequestHead head) {
        return control.verify(presented.credential()).map(identity -> caller(identity, head, presented.cookie()))
                .orElseThrow(() -> failed(head, presented.cookie() == null));
    }

    /**
     * Verifies the token of a login. Blocks, as {@link #verify}.
     *
     * @throws ProblemException as {@link #verify}
     */
    public Caller verify(String token, RequestHead head) {
        return Credential.Token.of(token).flatMap(control::verify).map(identity -> caller(identity, head, null))
                .orElseThrow(() -> failed(head, true));
    }

    /** The session of a request, as a credential and the value of its cookie; empty without one that counts. Blocks. */
    public Optional<Caller> session(RequestHead head) {
        return SessionCookie.read(head, policy.isSecure(head))
                .flatMap(cookie -> control.verify(Credential.Session.of(cookie))
                        .map(identity -> caller(identity, head, cookie)));
    }

    /** The user that a proxy names; empty if a credential is needed. */
    public Optional<Identity> named(RequestHead head) {
        return policy.proxy().identity(head);
    }

    /**
     * Answers an address with too many failures at once.
     *
     * @throws ProblemException 429
     */
    void checkFailures(RequestHead head) {
        if (failures.isExhausted(key(head))) {
            throw tooMany();
        }
    }

    /**
     * As {@link #checkFailures(RequestHead)}, for a token that is not among the credentials of the last two seconds. A
     * token that counts is served whatever other clients of its address do.
     */
    void checkFailures(Sender.Presented presented, RequestHead head) {
        if (presented.cookie() == null && control.isFresh()) {
            checkFailures(head);
        }
    }

    /**
     * Counts a failed credential, and delays its answer. An ended session is no failure, since browsers keep sending
     * its cookie. Blocks.
     */
    ProblemException failed(RequestHead head, boolean guessed) {
        if (!guessed) {
            Problem ended = unauthenticated(head, true).problem();
            return new ProblemException(
                    ended.withHeader("Set-Cookie", SessionCookie.clear(head, policy.isSecure(head))));
        }
        boolean exhausted = failures.isExhausted(key(head));
        Duration delay = failures.failed(key(head));
        failed.warn("A credential of {} failed: {} {}", address(head), head.method(), head.path());
        control.audit().failedLogin(key(head));
        if (!exhausted && delay.isPositive() && delayed.tryAcquire()) {
            try {
                for (long due = time.deadline(delay); !time.reached(due);) {
                    time.park(due);
                }
            } finally {
                delayed.release();
            }
        }
        return exhausted ? tooMany() : unauthenticated(head, true);
    }

    private String key(RequestHead head) {
        return ClientAddress.of(head, policy.proxy().proxies()).key();
    }

    private static ProblemException tooMany() {
        return new ProblemException(new Problem(ProblemType.TOO_MANY_FAILURES,
                "Too many credentials from your address failed:"
                        + " wait, and use a token that counts")
                .withHeader(Problems.RETRY_AFTER,
                        Long.toString(FailureLimits.EACH.toSeconds())));
    }

    /** @param presented whether the request has a credential, which does not count */
    ProblemException unauthenticated(RequestHead head, boolean presented) {
        String remedy = "send \"Authorization: Bearer TOKEN\" (the command line: --token, --token-file or"
                + " ORDERLY_TOKEN). On the server's machine its own user has one in the file local-access beside the"
                + " secret (curl -H @data/local-access; the command line finds it in the server's folder, or with"
                + " --config), and makes others with: orderly token create NAME --role ROLE";
        String detail = presented
                ? "The token or session does not count: it is wrong, revoked or ended: " + remedy
                : policy.proxy().isUnproven(head)
                        ? "The proxy in front names a user without the secret of admin.proxy-secret-env or"
                                + " admin.proxy-secret-file: let it send the secret in the header "
                                + ProxyAccess.SECRET
                        : "The request has no token: " + remedy;
        return new ProblemException(new Problem(ProblemType.UNAUTHENTICATED, detail).withHeader("WWW-Authenticate",
                presented ? CHALLENGE + ", error=\"invalid_token\"" : CHALLENGE));
    }
}
