package dev.orderly.http.intake;

import dev.orderly.flow.RateLimiter;
import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.job.engine.EventUrls;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.store.NewEvent;
import dev.orderly.time.Time;
import dev.orderly.web.edge.ClientAddress;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.page.PageAsset;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The links of {@link dev.orderly.job.Job#eventUrl}: a POST sends the event, a GET shows a page that asks first, since
 * scanners of mails open links. The answers tell nothing of the job.
 */
public final class EventLinks {
    /** Requests of an address in a minute. */
    static final int RATE = 60;

    private static final BodyLimit LIMIT = new BodyLimit(JobStep.VALUE_MAX, new Problem(ProblemType.TOO_LARGE,
            "An event has at most " + JobStep.VALUE_MAX + " bytes: send a reference to larger content"));
    private static final BodyLimit NONE = new BodyLimit(0, Endpoint.noBody("GET", EventUrls.PATH + "{token}"));
    private static final String POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline';"
            + " form-action 'self'; frame-ancestors 'none'";
    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
            <title>HEADING</title><link rel="icon" href="data:,"><style>STYLE</style></head>
            <body data-state="left"><main><h1 id="heading">HEADING</h1><p id="lead">TEXT</p>FORM</main></body></html>
            """.replace("STYLE", PageAsset.style());

    private final JobClient client;
    private final TrustedProxies trusted;
    private final RateLimiter<String> rate;
    private final ContentCheck content = new ContentCheck();

    /** @param trusted proxies in front of the edge */
    public EventLinks(JobClient client, TrustedProxies trusted, Time time) {
        this.client = client;
        this.trusted = trusted;
        this.rate = new RateLimiter<>(time, RATE, Duration.ofMinutes(1));
    }

    public List<Endpoint> endpoints() {
        PathTemplate path = PathTemplate.parse(EventUrls.PATH + "{token}");
        return List.of(new Endpoint("GET", path, head -> counted(head, NONE), Map.of(), this::ask),
                new Endpoint("POST", path, head -> counted(head, LIMIT), Map.of(), this::send));
    }

    private BodyLimit counted(RequestHead head, BodyLimit limit) {
        Optional<Duration> wait = rate.refuse(ClientAddress.of(head, trusted).key());
        if (wait.isPresent()) {
            throw new ProblemException(new Problem(ProblemType.RATE_LIMIT,
                    "Too many requests of one address: try again later").withHeader(Problems.RETRY_AFTER,
                            Long.toString(wait.get().toSeconds() + 1)));
        }
        return limit;
    }

    private Response ask(Request call) {
        return target(call).isPresent()
                ? page(200, "Confirm", "Somebody waits for your confirmation.",
                        "<form method=\"post\"><button>Confirm</button></form>")
                : gone(call);
    }

    private Response send(Request call) {
        EventUrls.Target target = target(call).orElse(null);
        if (target == null) {
            return gone(call);
        }
        Payload value = value(call);
        boolean kept = client.event(new NewEvent(target.job(), target.event(), "link", value)).isKept();
        if (!kept) {
            return gone(call);
        }
        return isHtml(call)
                ? page(200, "Confirmed", "Thank you. You can close this page.", "")
                : secret(Response.json(200, "{\"result\":\"accepted\"}"
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    /** The body as the value; {@code true} for none, as the form of the page sends it. */
    private Payload value(Request call) {
        if (call.body().length == 0) {
            return Payload.json("true");
        }
        MediaType type = ContentTypes.of(call.head(), ContentTypes.ALL);
        content.check(type, call.body());
        return new Payload(type.text(), call.body());
    }

    private Optional<EventUrls.Target> target(Request call) {
        return client.eventUrls().flatMap(urls -> urls.read(call.head().param("token")));
    }

    private static Response gone(Request call) {
        return isHtml(call)
                ? page(410, "No longer needed", "This link is not valid any more.", "")
                : secret(Response.problem(new Problem(ProblemType.LINK_GONE, "The link is not valid, or no longer: ask"
                        + " its sender for another"), "/.orderly/events"));
    }

    private static boolean isHtml(Request call) {
        return AnswerPreference.of(call.head().headers().getAll("Accept")) == AnswerPreference.HTML;
    }

    private static Response page(int status, String heading, String text, String form) {
        return secret(Response.html(status, PAGE.replace("HEADING", heading).replace("TEXT", text)
                .replace("FORM", form)).withHeader("Content-Security-Policy", POLICY));
    }

    private static Response secret(Response answer) {
        return answer.withHeader("Cache-Control", "no-store").withHeader("Referrer-Policy", "no-referrer")
                .withHeader("X-Robots-Tag", "noindex").withHeader("X-Content-Type-Options", "nosniff");
    }
}
