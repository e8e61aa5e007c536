package dev.orderly.http.user.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.http.Contract;
import dev.orderly.http.intake.Route;
import dev.orderly.job.JobId;
import dev.orderly.room.Rate;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits of a route by user and address, and pages of other origins. */
class RouteLimitsTest {
    private final JobNode node = new JobNode();

    @AfterEach
    void close() {
        node.close();
    }

    private int push(String user) {
        return node.post(node.as(user, "/few"), "1").statusCode();
    }

    @Test
    void aUserBeyondTheLimitIs429WithRetryAfterAndOtherUsersAreServed() {
        assertThat(push("ada")).isEqualTo(202);
        assertThat(push("ada")).isEqualTo(202);
        HttpResponse<String> third = node.post(node.as("ada", "/few"), "1");
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(third.body()).contains("urn:orderly:problem:rate-limit").contains("2 per 3600s");
        assertThat(Long.parseLong(third.headers().firstValue("Retry-After").orElseThrow())).isBetween(1_700L, 1_800L);
        assertThat(push("bob")).isEqualTo(202);
    }

    @Test
    void anAddressBeyondTheLimitIs429BeforeItsBodyIsLookedAt() {
        for (int n = 0; n < 4; n++) {
            assertThat(node.post(node.at("/few"), "{").statusCode()).isEqualTo(422);
        }
        HttpResponse<String> next = node.post(node.at("/few"), "{");
        assertThat(next.statusCode()).isEqualTo(429);
        assertThat(next.body()).contains("One address");
        assertThat(node.post(node.at("/mail"), "1").statusCode()).isEqualTo(202);
    }

    @Test
    void aJobAsItsUserSeesItIsDocumented() {
        JobId job = node.push("ada", "/mail", "1");
        assertThat(Contract.faults("UserJob", node.look("ada", job))).isEmpty();
    }

    @Test
    void aLimitPerUserNeedsUsers() {
        assertThatThrownBy(() -> new Route("/a", "a", List.of(), Route.Users.NONE, Route.Group.PATH)
                .withLimits(new Route.Limits(new Rate(1, Duration.ofSeconds(1)), null)))
                .hasMessageContaining("looks at no user");
    }

    private HttpResponse<String> preflight(String path, String origin, String method) {
        return node.send(node.at(path).header("Origin", origin).header("Access-Control-Request-Method", method)
                .method("OPTIONS", BodyPublishers.noBody()));
    }

    private static String allowed(HttpResponse<String> answer) {
        return answer.headers().firstValue("Access-Control-Allow-Origin").orElse("");
    }

    @Test
    void aPageOfANamedOriginMayActForItsUser() {
        HttpResponse<String> preflight = preflight("/mail", JobNode.PARTNER, "POST");
        assertThat(preflight.statusCode()).isEqualTo(204);
        assertThat(allowed(preflight)).isEqualTo(JobNode.PARTNER);
        assertThat(preflight.headers().firstValue("Access-Control-Allow-Credentials")).hasValue("true");
        assertThat(preflight.headers().firstValue("Access-Control-Allow-Methods")).hasValue("POST");
        assertThat(preflight.headers().firstValue("Access-Control-Allow-Headers").orElse(""))
                .contains("Idempotency-Key", "Authorization", "Content-Type");
        assertThat(preflight.headers().allValues("Vary")).contains("Origin");

        HttpResponse<String> pushed = node.post(node.at("/mine").header("Origin", JobNode.PARTNER)
                .header("Cookie", "session=" + JobNode.token("ada")), "1");
        assertThat(pushed.statusCode()).isEqualTo(202);
        assertThat(allowed(pushed)).isEqualTo(JobNode.PARTNER);
        assertThat(pushed.headers().firstValue("Access-Control-Expose-Headers").orElse("")).contains("X-Job-Id");
        HttpResponse<String> look = node.send(node.as("ada", "/.orderly/jobs/" + JobNode.id(pushed))
                .header("Origin", JobNode.PARTNER));
        assertThat(look.statusCode()).isEqualTo(200);
        assertThat(allowed(look)).isEqualTo(JobNode.PARTNER);
        assertThat(look.headers().firstValue("Access-Control-Allow-Credentials")).hasValue("true");
        assertThat(allowed(preflight("/.orderly/live", JobNode.PARTNER, "GET"))).isEqualTo(JobNode.PARTNER);
    }

    @Test
    void aPageReadsTheRefusalOfItsRequestToo() {
        HttpResponse<String> refused = node.post(node.at("/mine").header("Origin", JobNode.PARTNER), "1");
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(allowed(refused)).isEqualTo(JobNode.PARTNER);
        HttpResponse<String> wrong = node.send(node.at("/mail").header("Origin", JobNode.PARTNER)
                .header("Content-Type", "image/png").POST(BodyPublishers.ofString("1")));
        assertThat(wrong.statusCode()).isEqualTo(415);
        assertThat(allowed(wrong)).isEqualTo(JobNode.PARTNER);
    }

    @Test
    void anOriginOfARouteMayPushThereWithoutCredentialsAndNowhereElse() {
        HttpResponse<String> preflight = preflight("/open/o-1", JobNode.GUEST, "POST");
        assertThat(allowed(preflight)).isEqualTo(JobNode.GUEST);
        assertThat(preflight.headers().firstValue("Access-Control-Allow-Credentials")).isEmpty();
        assertThat(allowed(node.post(node.at("/open/o-1").header("Origin", JobNode.GUEST), "1")))
                .isEqualTo(JobNode.GUEST);
        assertThat(allowed(preflight("/mail", JobNode.GUEST, "POST"))).isEmpty();
        assertThat(allowed(preflight("/.orderly/jobs/x", JobNode.GUEST, "GET"))).isEmpty();
    }

    @Test
    void anotherOriginGetsNoPermissionAndNoAnswerNamesAllOrigins() {
        for (String origin : List.of("https://evil.example", "null", "https://partner.example.evil.example")) {
            HttpResponse<String> preflight = preflight("/mail", origin, "POST");
            assertThat(allowed(preflight)).isEmpty();
            assertThat(preflight.headers().allValues("Vary")).contains("Origin");
            HttpResponse<String> pushed = node.post(node.at("/mail").header("Origin", origin), "1");
            assertThat(allowed(pushed)).isEmpty();
            assertThat(pushed.headers().firstValue("Access-Control-Allow-Credentials")).isEmpty();
        }
    }
}
