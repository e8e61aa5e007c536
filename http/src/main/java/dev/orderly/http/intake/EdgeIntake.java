package dev.orderly.http.intake;

import dev.orderly.http.message.Request;
import dev.orderly.http.message.Response;
import dev.orderly.http.path.PathTemplate;
import dev.orderly.http.route.Endpoint;
import dev.orderly.http.user.Authenticator;
import dev.orderly.job.PushRequest;
import dev.orderly.job.engine.JobClient;
import dev.orderly.user.UserId;
import java.util.List;
import java.util.Map;

/** The declared routes of the edge, as endpoints. */
public final class EdgeIntake {
    /** The path below which the edge shows jobs to their users. */
    public static final String JOBS = "/.orderly/jobs/";

    private final JobIntake intake;
    private final Authenticator users;

    public EdgeIntake(JobClient client, Authenticator users) {
        this.intake = new JobIntake(client);
        this.users = users;
    }

    /** @param accepts some of {@link ContentTypes#ALL}; empty for all */
    public Endpoint endpoint(String path, String queue, List<String> accepts) {
        List<String> taken = accepts.isEmpty() ? ContentTypes.ALL : accepts;
        return new Endpoint("POST", PathTemplate.parse(path), head -> intake.before(head, queue, taken),
                Map.of(ContentTypes.ACCEPT_POST, ContentTypes.acceptPost(taken)),
                call -> push(call, path, queue, taken));
    }

    private Response push(Request call, String path, String queue, List<String> accepts) {
        Map<String, String> params = call.head().params();
        UserId user = users.of(call.head()).userOrNobody().orElse(null);
        PushRequest request = PushRequest.of(queue, intake.payload(call, accepts)).withParams(params)
                .withGroup(params.get("group")).withDedupeId(params.get("dedupe"))
                .withUser(user == null ? null : user.value());
        return intake.push(request, call.head(), "edge " + path, user == null ? null : JOBS);
    }
}
