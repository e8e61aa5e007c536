package dev.orderly.http.intake;

import dev.orderly.job.PushRequest;
import dev.orderly.job.engine.JobClient;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.web.edge.ClientAddress;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.user.Authenticator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The declared routes of the edge, as endpoints. */
public final class EdgeIntake {
    /** The path below which the edge shows jobs to their users. */
    public static final String JOBS = "/.orderly/jobs/";

    private final JobIntake intake;
    private final Authenticator users;
    private final TrustedProxies trusted;

    private final Time time;

    /**
     * Creates the intake.
     *
     * @param trusted proxies in front of the edge
     * @param time of the limits
     */
    public EdgeIntake(JobClient client, Authenticator users, TrustedProxies trusted, Time time) {
        this.intake = new JobIntake(client);
        this.users = users;
        this.trusted = trusted;
        this.time = time;
    }

    public Endpoint endpoint(Route route) {
        List<String> taken = route.accepts().isEmpty() ? ContentTypes.ALL : route.accepts();
        RouteQuota quota = new RouteQuota(route.limits(), time);
        return new Endpoint("POST", PathTemplate.parse(route.path()), head -> {
            quota.countAddress(() -> address(head));
            return intake.before(head, route.queue(), taken);
        }, Map.of(ContentTypes.ACCEPT_POST, ContentTypes.acceptPost(taken)), call -> {
            UserId user = user(call.head(), route);
            if (user != null) {
                quota.countUser(user.value());
            }
            return push(call, route, taken, user);
        });
    }

    private String address(RequestHead head) {
        return ClientAddress.of(head, trusted).key();
    }

    private Response push(Request call, Route route, List<String> accepts, @Nullable UserId user) {
        Map<String, String> params = call.head().params();
        String owner = user == null ? "address " + address(call.head()) : "user " + user;
        PushRequest request = PushRequest.of(route.queue(), PushLines.NOTHING).withParams(params)
                .withGroup(route.group() == Route.Group.USER ? UserId.column(user) : params.get("group"))
                .withDedupeId(params.get("dedupe")).withUnique(params.get("unique")).withDedupeScope(owner)
                .withExpires(route.terms().expires()).withAttempts(route.terms().attempts())
                .withTimeout(route.terms().timeout()).withUser(user).withDebounce(params.get("debounce"))
                .withDelay(route.terms().delay()).withAtMost(route.terms().atMost())
                .withDedupeFor(route.terms().dedupeFor()).withCost(route.terms().cost());
        return intake.push(intake.withPayload(request, call, accepts), call.head(),
                "edge " + route.path() + " " + owner, user == null ? null : JOBS);
    }

    private @Nullable UserId user(RequestHead head, Route route) {
        return switch (route.users()) {
            case REQUIRED -> users.of(head).known().user();
            case OPTIONAL -> users.of(head).userOrNobody().orElse(null);
            case NONE -> null;
        };
    }
}
