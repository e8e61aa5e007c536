package dev.orderly.http.user.job;

import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.engine.JobClient;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.RequestPath;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import dev.orderly.web.route.RequestRouter.Match;
import dev.orderly.web.user.Authentication.Known;
import dev.orderly.web.user.Authenticator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Shows jobs to their users below {@value #BASE}: as JSON, or as an event stream. A job of another user is answered
 * like an unknown job. Thread-safe; blocks on virtual threads only.
 */
public final class UserJobHandler implements EdgeHandler {
    /** The path prefix of jobs, followed by a job's id. */
    public static final String BASE = "/.orderly/jobs/";

    /** The maximum number of concurrent reads of the store; further requests are answered 503. */
    private static final int LOOKING_MAX = 256;
    private static final String LAST_EVENT = "Last-Event-ID";

    private final JobClient client;
    private final Authenticator users;
    private final UserJobStreams streams;
    private final Semaphore looking = new Semaphore(LOOKING_MAX);

    public UserJobHandler(JobClient client, Authenticator users, UserJobStreams streams) {
        this.client = client;
        this.users = users;
        this.streams = streams;
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        String id = id(request.path());
        if (id == null) {
            return next.match(request);
        }
        RequestHead head = request.head();
        if (!head.method().equals("GET") && !head.method().equals("HEAD")) {
            throw new ProblemException(new Problem(ProblemType.METHOD_NOT_ALLOWED, "A job can be read only: use GET")
                    .withHeader("Allow", "GET"));
        }
        if (!looking.tryAcquire()) {
            throw new ProblemException(Problems.overloaded("Too many jobs are being read."));
        }
        CompletableFuture<Match> later = new CompletableFuture<>();
        Thread.ofVirtual().name("orderly-look").start(() -> {
            try {
                later.complete(look(head, id));
            } catch (Throwable e) { // the answer reports it
                later.completeExceptionally(e);
            } finally {
                looking.release();
            }
        });
        return new Match.Deferred(later);
    }

    /** The id segment of the path; null if the path is not that of a job. */
    private static @Nullable String id(RequestPath path) {
        String wire = path.wire();
        return wire.startsWith(BASE) && wire.indexOf('/', BASE.length()) < 0 ? wire.substring(BASE.length()) : null;
    }

    private Match look(RequestHead head, String id) {
        Known known = users.of(head).known();
        JobView job = find(id).filter(found -> known.user().equals(found.user()))
                .orElseThrow(() -> new ProblemException(ProblemType.UNKNOWN_JOB,
                        "You have no such job, or it is no longer kept: check the id that the push returned"));
        if (!AnswerPreference.isForEvents(head.headers().getAll("Accept"))) {
            return new Match.Immediate(
                    Response.json(200, UserJobJson.of(job, client.position(job).orElse(null), true)));
        }
        return UserJobStreams.END.equals(head.header(LAST_EVENT))
                ? new Match.Immediate(Response.empty(204)) // stops the browser's retries
                : streams.open(job, known);
    }

    private Optional<JobView> find(String id) {
        try {
            return client.find(JobId.parse(id));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
