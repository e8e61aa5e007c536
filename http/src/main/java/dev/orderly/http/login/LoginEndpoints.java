package dev.orderly.http.login;

import static dev.orderly.http.openapi.ErrorAnswer.UNAVAILABLE;
import static dev.orderly.http.openapi.ErrorAnswer.UNSUPPORTED_CONTENT;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.control.AuditLog;
import dev.orderly.access.control.Credential;
import dev.orderly.access.store.AuditAct;
import dev.orderly.http.access.AccessGate;
import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.LoginLinks;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.access.SessionCookie;
import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.ProblemJson;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.operate.Caller;
import dev.orderly.operate.Operation;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.path.SitePath;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Login and logout of browsers. The pages are for everybody; the actions prove their sender by themselves. */
public final class LoginEndpoints {
    private static final String LOGIN = "/login";
    private static final String TAG = "access";
    private static final Map<String, Class<?>> HTML = Map.of("text/html", String.class);
    private static final Parameter TO_LOGIN = Parameter.header("Location", "`/login`.");
    private static final Parameter COOKIE = Parameter.header("Set-Cookie", "The session, or its removal.");
    private static final String SPENT = "The link was used, or is too old.";
    private static final String CODE = "code";
    private static final String LINK = LOGIN + "/{" + CODE + "}";
    private static final String SESSION = "session";
    private static final String TO = "to";
    private static final BodyLimit BODY = new BodyLimit(4 << 10, new Problem(ProblemType.TOO_LARGE,
            "The form has more than 4 KiB: send one token"));

    private final OperationEndpoints operations;
    private final AccessGate gate;
    private final LoginLinks links;
    private final RandomGenerator random = new SecureRandom();
    private final LoginPage page = new LoginPage();

    public LoginEndpoints(OperationEndpoints operations, AccessGate gate) {
        this.operations = operations;
        this.gate = gate;
        this.links = gate.links();
    }

    public List<ApiEndpoint> endpoints() {
        return List.of(
                new ApiEndpoint("loginPage", LeastRole.NONE, Endpoint.bodiless("GET", LOGIN, this::show),
                        OperationDoc.of(TAG, "The page for a login with a token")
                                .answers("200", "The form, or who is signed in.", HTML).refuses(UNAVAILABLE)),
                new ApiEndpoint("login", LeastRole.NONE, form(LOGIN, this::login),
                        OperationDoc.of(TAG, "Open a session with a token").body(Body.form(TokenForm.class))
                                .answers("303", "Sent on to `/login`, with the cookie.", Map.of(), TO_LOGIN, COOKIE)
                                .answers("401", "The token does not count.", HTML)
                                .answers("403", "A worker's token opens no session, or a page of another site sent the"
                                        + " form.",
                                        Map.of("text/html", String.class, Problem.CONTENT_TYPE,
                                                ProblemJson.class))
                                .answers("429", "Too many tokens of one address failed.", HTML)
                                .refuses(UNSUPPORTED_CONTENT, UNAVAILABLE)),
                new ApiEndpoint("loginLinkPage", LeastRole.NONE, Endpoint.bodiless("GET", LINK, this::ask),
                        OperationDoc.of(TAG, "The page that asks before a link of createLoginLink counts")
                                .answers("200", "Who would be signed in.", HTML)
                                .answers("401", SPENT, HTML).refuses(UNAVAILABLE)),
                new ApiEndpoint("loginByLink", LeastRole.NONE, Endpoint.bodiless("POST", LINK, this::follow),
                        OperationDoc.of(TAG, "Open a session with a link, once")
                                .answers("303", "Sent on to the dashboard, with the cookie.", Map.of(),
                                        Parameter.header("Location", "`/`."),
                                        Parameter.header("Set-Cookie", "The session."))
                                .answers("401", SPENT, HTML).refuses(UNAVAILABLE)),
                operations.bodiless(OperationSpec.CREATE_LOGIN_LINK,
                        OperationEndpoints.plain(() -> link(ApiCall.current().caller().identity())),
                        (_, path) -> RecordJson.answer(201, new LinkJson(path,
                                ApiCall.current().caller().identity().name(), LoginLinks.LIFE.toSeconds())),
                        OperationDoc.of(TAG, OperationSpec.CREATE_LOGIN_LINK)
                                .answers(201, LinkJson.class, "Created. It counts on this node only.")),
                new ApiEndpoint("logout", LeastRole.NONE, form("/logout", this::logout),
                        OperationDoc.of(TAG, "End the session").body(Body.form(CsrfForm.class))
                                .answers("303", "Sent on to `/login`, with the cookie.", Map.of(), TO_LOGIN, COOKIE)
                                .refuses(UNSUPPORTED_CONTENT, UNAVAILABLE)));
    }

    /** The form of a login. */
    record TokenForm(String token) {}

    /** The form of a logout. */
    record CsrfForm(String csrf) {}

    /** A link for one login. */
    @Doc(name = "LoginLink")
    record LinkJson(@Doc("The path of the link, below the address of the API.") String path,
            @Doc("The identity of the session.") String name, @Doc("The life of the link.") long seconds) {}

    private static Endpoint form(String path, Endpoint.Action action) {
        return new Endpoint("POST", PathTemplate.parse(path), _ -> BODY, Map.of(), action);
    }

    private Response show(Request call) {
        String to = onSite(QueryParameters.of(call.head(), TO).text(TO));
        Optional<Caller> session = gate.session(call.head());
        return session.map(caller -> page.signedIn(caller.identity(), caller.csrf()))
                .or(() -> gate.named(call.head()).map(identity -> page.signedIn(identity, null)))
                .orElseGet(() -> page.form(200, null, to));
    }

    private Response login(Request call) {
        QueryParameters form = fields(call, "token", TO);
        String token = form.text("token");
        String to = onSite(form.text(TO));
        Caller caller;
        try {
            caller = gate.verify(token == null ? "" : token.strip(), call.head());
        } catch (ProblemException refusal) {
            Problem problem = refusal.problem();
            boolean exhausted = problem.type() == ProblemType.TOO_MANY_FAILURES;
            Response refused = page.form(problem.type().status(), exhausted
                    ? "Too many tokens from your address failed. Wait ten seconds before you try again."
                    : "This token does not count: it is wrong, revoked or ended.", to);
            return exhausted ? refused.withHeader("Retry-After", "10") : refused;
        }
        if (caller.identity().role() == Role.WORKER) {
            return page.form(403, "This is a worker's token, which opens no session.", to);
        }
        return opened(call.head(), caller.identity(), to == null ? LOGIN : to)
                .orElseGet(() -> page.form(401, "This token does not count: it is wrong, revoked or ended.", to));
    }

    /** The answer that opens a session; empty if its token was revoked meanwhile. */
    private Optional<Response> opened(RequestHead head, Identity who, String to) {
        return Optional.ofNullable(audit(head, who, "login", () -> gate.control().open(who, random)))
                .map(cookie -> Response.empty(303).withHeader("Location", to).withHeader("Set-Cookie",
                        SessionCookie.set(cookie, head, isSecure(head))));
    }

    private Operation<String> link(Identity who) {
        if (who.kind() == Identity.Kind.PROXY) {
            throw new ProblemException(ProblemType.FORBIDDEN,
                    "The proxy in front names you, so that a link would sign nobody in: open the dashboard through it");
        }
        return Operation.of(OperationSpec.CREATE_LOGIN_LINK, SESSION, null, () -> links.create(who, LoginLinks.LIFE),
                _ -> "a link for one login");
    }

    /** Asks before a link counts: programs that preview links follow them, and a foreign page may lead to one. */
    private Response ask(Request call) {
        return links.find(call.head().param(CODE)).map(who -> page.confirm(who, call.head().path()))
                .orElseGet(this::spent);
    }

    private Response follow(Request call) {
        return links.redeem(call.head().param(CODE)).flatMap(who -> opened(call.head(), who, "/"))
                .orElseGet(this::spent);
    }

    private Response spent() {
        return page.form(401, "This link was used or is too old. For a new one: orderly dashboard", null);
    }

    private Response logout(Request call) {
        String csrf = fields(call, "csrf").text("csrf");
        Optional<Caller> session = gate.session(call.head());
        Optional<String> cookie = SessionCookie.read(call.head(), isSecure(call.head()));
        if (session.isPresent() && cookie.isPresent()) {
            if (!SessionCookie.isCsrf(String.valueOf(session.get().csrf()), csrf)) {
                throw new ProblemException(ProblemType.CSRF, "The form has not the session's token: open " + LOGIN
                        + " again and sign out there");
            }
            audit(call.head(), session.get().identity(), "logout", () -> {
                gate.control().close(Credential.Session.of(cookie.get()));
                return Optional.of(SESSION);
            });
        }
        return toLogin(SessionCookie.clear(call.head(), isSecure(call.head())));
    }

    private @Nullable String audit(RequestHead head, Identity who, String operation,
            java.util.function.Supplier<Optional<String>> change) {
        AuditLog log = gate.control().audit();
        AuditAct act = new AuditAct(log.now(), who.kind(), who.name(), gate.address(head), operation, SESSION, null);
        return log.record(act, change, _ -> null).orElse(null);
    }

    /** The page to go on with, if it is a path of this site, which no browser takes for another host. */
    private static @Nullable String onSite(@Nullable String to) {
        return to == null ? null : SitePath.of(to).orElse(null);
    }

    private boolean isSecure(RequestHead head) {
        return gate.policy().isSecure(head);
    }

    private static Response toLogin(String cookie) {
        return Response.empty(303).withHeader("Location", LOGIN).withHeader("Set-Cookie", cookie);
    }

    /** The fields of a form, which has the encoding of a query. */
    private static QueryParameters fields(Request call, String... known) {
        RequestHead head = call.head();
        String type = head.header("Content-Type");
        if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase("application/x-www-form-urlencoded")) {
            throw new ProblemException(ProblemType.UNSUPPORTED_CONTENT,
                    "A login is a form: send application/x-www-form-urlencoded,"
                            + " or use \"Authorization: Bearer TOKEN\" without a login");
        }
        return QueryParameters.of(new RequestHead(head.method(), head.path(),
                new String(call.body(), StandardCharsets.ISO_8859_1), head.headers(), head.peer(), Map.of()), known);
    }
}
