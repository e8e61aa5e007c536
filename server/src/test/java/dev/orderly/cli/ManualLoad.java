package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.cli.VerifyClusterCommand.ApiNode;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.time.Time;
import dev.orderly.trial.ClusterTrial;
import dev.orderly.trial.PythonReferee;
import dev.orderly.trial.TrialPlan;
import dev.orderly.trial.TrialReport;
import dev.orderly.trial.TrialResult;
import dev.orderly.trial.TrialSignatures;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Load on a server, which may restart beside it: one trial of {@code orderly verify-cluster} after the other, and
 * visitors of two rooms. Where Python is installed, docs/referee.py judges each trial.
 */
final class ManualLoad implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PACE = Duration.ofMillis(100);

    private final TrialPlan plan;
    private final ApiClient api;
    private final List<Visitor> visitors;
    private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final BackgroundLoop visits = new BackgroundLoop("visitors", Time.system(), this::visit);
    private final Future<Integer> trials;
    private volatile boolean ends;
    private int next;

    /** A visitor with a cookie jar, in front of one page. */
    private record Visitor(HttpClient client, URI page) implements AutoCloseable {
        Visitor(String page) {
            this(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).cookieHandler(new CookieManager())
                    .build(), URI.create(page));
        }

        HttpResponse<String> ask() throws IOException {
            try {
                return client.send(HttpRequest.newBuilder(page).timeout(ANSWER).header("Accept", "application/json")
                        .build(), BodyHandlers.ofString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }

        boolean isLetIn() {
            try {
                return ask().statusCode() == 200;
            } catch (IOException _) {
                return false;
            }
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /**
     * Begins.
     *
     * @param plan of each trial
     * @param token that may push and see the plan's queues
     */
    ManualLoad(TrialPlan plan, String api, String token, String edge) {
        this.plan = plan;
        this.api = new ApiClient(api, token, null, ANSWER);
        visitors = IntStream.range(0, 6).mapToObj(n -> new Visitor(edge + (n % 2 == 0 ? "/sale/" : "/tickets/")))
                .toList();
        trials = thread.submit(this::tryOn);
        visits.start();
    }

    /** Ends; every job has to be done, in order, and every visitor to be let in. */
    void end() {
        ends = true;
        try {
            assertThat(trials.get()).isPositive();
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError("The load lost something", e);
        }
        visits.stop(PATIENCE);
        assertThat(unexpected).isEmpty();
        visitors.forEach(visitor -> await().atMost(PATIENCE).until(visitor::isLetIn));
    }

    /** @return the number of trials */
    private int tryOn() throws IOException {
        boolean hasReferee = PythonReferee.isInstalled();
        int done = 0;
        while (!ends) {
            Path folder = Files.createDirectory(plan.folder().resolve("trial" + ++done));
            TrialPlan own = new TrialPlan(plan.length(), plan.rate(), plan.commands(), plan.every(), plan.listen(),
                    folder, plan.seed() + done);
            TrialResult result = new ClusterTrial(own, List.of(new ApiNode(api)), new TrialSignatures(List.of()),
                    "trial" + done, Time.system()).run();
            assertThat(result.drained()).as("%s", TrialReport.facts(result)).isTrue();
            if (hasReferee) {
                ChildProcess.Ended verdict = PythonReferee.judge(own.history());
                assertThat(verdict.exitCode()).as(verdict.out()).isZero();
            }
        }
        return done;
    }

    private Duration visit() {
        Visitor visitor = visitors.get(next++ % visitors.size());
        try {
            HttpResponse<String> answer = visitor.ask();
            boolean waits = answer.statusCode() == 503 && answer.body().contains("\"place\"");
            if (answer.statusCode() != 200 && !waits) {
                unexpected.add(visitor.page + ": " + answer.statusCode() + " " + answer.body());
            }
        } catch (IOException _) {
            // the server starts anew
        }
        return PACE;
    }

    @Override
    public void close() {
        ends = true;
        thread.shutdownNow();
        visits.stop(PATIENCE);
        visitors.forEach(Visitor::close);
        api.close();
    }
}
