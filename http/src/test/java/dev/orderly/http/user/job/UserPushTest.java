package dev.orderly.http.user.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.user.UserId;
import java.net.http.HttpResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The users of jobs that are pushed at the edge. */
class UserPushTest {
    private final JobNode node = new JobNode();

    @AfterEach
    void close() {
        node.close();
    }

    private @Nullable UserId user(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(202);
        return node.jobs().find(JobNode.id(answer)).orElseThrow().user();
    }

    @Test
    void aJobPushedWithABearerOrACookieBelongsToTheUserAndHasALocation() {
        HttpResponse<String> bearer = node.post(node.as("ada", "/mail"), "1");
        HttpResponse<String> cookie = node.post(node.at("/mail").header("Cookie", "session=" + JobNode.token("ada")),
                "2");
        for (HttpResponse<String> answer : List.of(bearer, cookie)) {
            assertThat(user(answer)).isEqualTo(new UserId("ada"));
            String location = answer.headers().firstValue("Location").orElseThrow();
            assertThat(location).isEqualTo("/.orderly/jobs/" + JobNode.id(answer));
            assertThat(node.send(node.as("ada", location)).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"Sec-Fetch-Site, cross-site", "Sec-Fetch-Site, same-site", "Origin, https://evil.example",
            "Origin, null"})
    void aFormPostedByAPageOfAnotherSiteHasNoUser(String header, String value) {
        HttpResponse<String> answer = node.post(node.at("/mail").header("Cookie", "session=" + JobNode.token("ada"))
                .header(header, value), "1");
        assertThat(user(answer)).isNull();
        assertThat(answer.headers().firstValue("Location")).isEmpty();
    }

    @Test
    void anInvalidBearerIs401AndNothingIsStored() {
        HttpResponse<String> answer = node.post(node.at("/mail").header("Authorization", "Bearer nonsense"), "1");
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        assertThat(answer.body()).contains("unauthenticated").doesNotContain("nonsense");
        assertThat(node.jobs().list(new QueueName("mail"), JobState.WAITING, null, 10)).isEmpty();
    }

    @Test
    void anIdempotencyKeyOfTwoUsersIsTwoKeys() {
        JobId adas = JobNode.id(node.post(node.as("ada", "/mail").header("Idempotency-Key", "k"), "1"));
        JobId bobs = JobNode.id(node.post(node.as("bob", "/mail").header("Idempotency-Key", "k"), "2"));
        JobId again = JobNode.id(node.post(node.as("ada", "/mail").header("Idempotency-Key", "k"), "1"));
        assertThat(bobs).isNotEqualTo(adas);
        assertThat(again).isEqualTo(adas);
    }

    @Test
    void theSameFormIsOneJobPerUser() {
        JobId adas = node.push("ada", "/steps/g", "{}");
        JobId bobs = node.push("bob", "/steps/g", "{}");
        JobId nobodys = JobNode.id(node.post(node.at("/steps/g"), "{}"));
        assertThat(node.push("ada", "/steps/g", "{}")).isEqualTo(adas);
        assertThat(List.of(adas, bobs, nobodys)).doesNotHaveDuplicates();
        assertThat(node.jobs().list(new QueueName("steps.fifo"), JobState.WAITING, null, 10).stream()
                .map(JobView::user)).containsExactly(new UserId("ada"), new UserId("bob"), null);
    }
}
