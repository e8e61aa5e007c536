package dev.orderly.http.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.EventResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.present.Redaction;
import dev.orderly.time.Time;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Webhooks that let their job wait for events. */
class EventWebhookTest extends WebhookTest {
    private JobId pushed() {
        orderly.handle(orderly.queue("hooks", Payload.class, _ -> RULES), new WebhookHandler(
                new Webhook(url("/hook"), List.of()), TOKENS, Redaction.NONE, () -> client, Time.system()));
        orderly.start();
        return push(PushRequest.of("hooks", Payload.json("1")));
    }

    /** Answers the first attempt with a wait, and later ones with 200. */
    private void awaiting(String header) {
        answer.set(exchange -> {
            boolean first = exchange.getRequestHeaders().getFirst("Orderly-Attempt").equals("1");
            if (first) {
                exchange.getResponseHeaders().set("Orderly-Await", header);
            }
            reply(exchange, first ? 202 : 200, "", "");
        });
    }

    private void awaitWaiting(JobId id) {
        await().untilAsserted(() -> assertThat(orderly.jobs().events(id)).anyMatch(
                event -> event.isAwaitedBy(orderly.jobs().find(id).orElseThrow())));
    }

    private static JsonNode events(Got request) {
        return JsonMapper.shared().readTree(request.header("Orderly-Events"));
    }

    @Test
    void aJobWaitsForTheEventAndTheNextRequestHasIt() throws InterruptedException {
        awaiting("approval; timeout=7d");
        JobId id = pushed();
        awaitWaiting(id);
        assertThat(got.take().headers()).doesNotContainKeys("Orderly-Events", "Orderly-Events-At");
        assertThat(orderly.jobs().event(id, "approval", Payload.json("{\"by\":\"Jürgen\"}")))
                .isEqualTo(EventResult.ACCEPTED);
        ended(id, JobState.DONE);
        Got second = got.take();
        assertThat(second.header("Orderly-Events")).matches("[ -~]+");
        assertThat(events(second).at("/0/name").asString()).isEqualTo("approval");
        assertThat(events(second).at("/0/value/json/by").asString()).isEqualTo("Jürgen");
        assertThat(events(second).at("/0/timedOut").asBoolean()).isFalse();
    }

    @Test
    void anEventThatHasComeIsToldAtOnceAndALargeOneByALink() throws InterruptedException {
        awaiting("approval;timeout=7d , payment ; timeout=1h");
        orderly.queue("hooks", Payload.class, _ -> RULES);
        JobId id = push(PushRequest.of("hooks", Payload.json("1")));
        orderly.jobs().event(id, "payment", Payload.text("x".repeat(20_000)));
        pushed();
        ended(id, JobState.DONE);
        await().until(() -> got.stream().anyMatch(each -> !each.header("Orderly-Events-At").isEmpty()));
        assertThat(got.stream().map(each -> each.header("Orderly-Events-At")).filter(at -> !at.isEmpty()))
                .containsExactly("jobs/" + id + "/events");
    }

    @Test
    void aWaitThatIsOverIsTold() throws InterruptedException {
        awaiting("approval; timeout=2s"); // a busy machine asks before its end
        JobId id = pushed();
        ended(id, JobState.DONE);
        got.take();
        assertThat(events(got.take()).at("/0/timedOut").asBoolean()).isTrue();
        assertThat(orderly.jobs().find(id).orElseThrow().failures()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"approval", "a b; timeout=7d", "approval; timeout=soon", "approval; timeout=400d",
            "; timeout=7d", "approval; timeout=7d,"})
    void aMalformedWaitFailsTheAttemptAndNamesTheHeader(String header) {
        answer.set(exchange -> {
            exchange.getResponseHeaders().set("Orderly-Await", header);
            reply(exchange, 202, "", "");
        });
        JobId id = pushed();
        assertThat(ended(id, JobState.DEAD).failure()).isNotNull()
                .satisfies(failure -> assertThat(failure.summary()).contains("Orderly-Await: "));
    }

    @Test
    void aJobOfABatchAwaitsForItself() throws InterruptedException {
        StandardQueue<Payload> hooks = orderly.queue("hooks", Payload.class, _ -> RULES);
        orderly.handleBatch(hooks, 10, new BatchWebhookHandler(new Webhook(url("/hook"), List.of()), TOKENS,
                Redaction.NONE, () -> client, Time.system()));
        JobId id = push(PushRequest.of("hooks", Payload.json("1")));
        answer.set(exchange -> reply(exchange, 200, Payload.JSON,
                "{\"jobs\":[{\"id\":\"" + id + "\",\"await\":\"approval; timeout=7d\"}]}"));
        orderly.start();
        awaitWaiting(id);
        got.take();
        answer.set(exchange -> reply(exchange, 204, "", ""));
        orderly.jobs().event(id, "approval", Payload.json("true"));
        ended(id, JobState.DONE);
        assertThat(JsonMapper.shared().readTree(got.take().body()).at("/jobs/0/events/0/value/json").asBoolean())
                .isTrue();
    }
}
