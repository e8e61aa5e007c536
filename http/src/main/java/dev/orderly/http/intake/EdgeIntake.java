package dev.orderly.http.intake;

import dev.orderly.http.edge.ClientAddress;
import dev.orderly.http.edge.TrustedProxies;
import dev.orderly.http.message.Request;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.message.Response;
import dev.orderly.http.path.PathTemplate;
import dev.orderly.http.route.Endpoint;
import dev.orderly.http.user.Authenticator;
import dev.orderly.job.PushRequest;
import dev.orderly.job.engine.JobClient;
import dev.orderly.user.UserId;
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

    /** @param trusted proxies in front of the edge */
    public EdgeIntake(JobClient client, Authenticator users, TrustedProxies trusted) {
        this.intake = new JobIntake(client);
        this.users = users;
        this.trusted = trusted;
    }

    public Endpoint endpoint(Route route) {
        List<String> taken = route.accepts().isEmpty() ? ContentTypes.ALL : route.accepts();
        return new Endpoint("POST", PathTemplate.parse(route.path()), head -> intake.before(head, route.queue(), taken),
                Map.of(ContentTypes.ACCEPT_POST, ContentTypes.acceptPost(taken)), call -> push(call, route, taken));
    }

    private Response push(Request call, Route route, List<String> accepts) {
        Map<String, String> params = call.head().params();
        String user = user(call.head(), route);
        String owner = user == null ? "address " + ClientAddress.of(call.head(), trusted).key() : "user " + user;
        PushRequest request = PushRequest.of(route.queue(), intake.payload(call, accepts)).withParams(params)
                .withGroup(route.group() == Route.Group.USER ? user : params.get("group"))
                .withDedupeId(params.get("dedupe")).withDedupeScope(owner).withUser(user);
        return intake.push(request, call.head(), "edge " + route.path() + " " + owner, user == null ? null : JOBS);
    }

    private @Nullable String user(RequestHead head, Route route) {
        return switch (route.users()) {
            case REQUIRED -> users.of(head).known().user().value();
            case OPTIONAL -> users.of(head).userOrNobody().map(UserId::value).orElse(null);
            case NONE -> null;
        };
    }
}
