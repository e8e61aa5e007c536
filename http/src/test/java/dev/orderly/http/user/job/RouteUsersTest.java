package dev.orderly.http.user.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.http.intake.Route;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.user.UserId;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Public routes with users: whose pushes they take, and whom groups, dedupe ids and idempotency keys belong to. */
class RouteUsersTest {
    private final JobNode node = new JobNode();

    @AfterEach
    void close() {
        node.close();
    }

    private JobView job(HttpResponse<String> answer) {
        return node.jobs().find(JobNode.id(answer)).orElseThrow();
    }

    @Test
    void aRouteWithRequiredUsersRefusesOtherSenders() {
        HttpResponse<String> answer = node.post(node.at("/mine/o-1"), "1");
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        assertThat(node.post(node.at("/mine/o-1").header("Authorization", "Bearer x"), "1").statusCode())
                .isEqualTo(401);
        assertThat(node.post(node.as("ada", "/mine/o-1"), "1").statusCode()).isEqualTo(202);
    }

    @Test
    void theGroupIsTheUserSoThatNobodyPushesIntoTheGroupOfAnother() {
        assertThat(job(node.post(node.as("ada", "/mine/o-1"), "1"))).satisfies(job -> {
            assertThat(job.group()).isEqualTo("ada");
            assertThat(job.user()).isEqualTo(new UserId("ada"));
        });
        assertThat(job(node.post(node.as("bob", "/mine/o-1"), "1")).group()).isEqualTo("bob");
    }

    @Test
    void anEarlierPushOfAStrangerSwallowsNoPushOfTheOwner() {
        JobId stranger = JobNode.id(node.post(node.at("/orders/ada/o-1"), "{}"));
        JobId other = JobNode.id(node.post(node.as("bob", "/orders/ada/o-1"), "{}"));
        HttpResponse<String> own = node.post(node.as("ada", "/orders/ada/o-1"), "{}");
        assertThat(JobNode.id(own)).isNotIn(stranger, other);
        assertThat(own.headers().firstValue("Orderly-Duplicate")).isEmpty();

        HttpResponse<String> twice = node.post(node.as("ada", "/orders/ada/o-1"), "{}");
        assertThat(JobNode.id(twice)).isEqualTo(JobNode.id(own));
        assertThat(twice.headers().firstValue("Orderly-Duplicate")).hasValue("true");
        assertThat(JobNode.id(node.post(node.at("/orders/ada/o-1"), "{}"))).isEqualTo(stranger);
    }

    @Test
    void anIdempotencyKeyBelongsToItsSender() {
        JobId first = JobNode.id(node.post(node.as("ada", "/mail").header("Idempotency-Key", "k"), "1"));
        assertThat(node.post(node.as("bob", "/mail").header("Idempotency-Key", "k"), "2").statusCode()).isEqualTo(202);
        assertThat(node.post(node.at("/mail").header("Idempotency-Key", "k"), "3").statusCode()).isEqualTo(202);
        assertThat(JobNode.id(node.post(node.as("ada", "/mail").header("Idempotency-Key", "k"), "1"))).isEqualTo(first);
        assertThat(node.post(node.as("ada", "/mail").header("Idempotency-Key", "k"), "2").statusCode()).isEqualTo(409);
    }

    @Test
    void aDedupeIdForAnotherBodyOrContentTypeIs409AndNamesTheJobItStandsFor() {
        JobId first = JobNode.id(node.post(node.as("ada", "/mine/o-1"), "1"));
        HttpResponse<String> other = node.post(node.as("ada", "/mine/o-1"), "2");
        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(other.body()).contains("urn:orderly:problem:dedupe-id-reused").contains(first.toString());
        assertThat(node.send(node.as("ada", "/mine/o-1").header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("1"))).statusCode()).isEqualTo(409);
        assertThat(JobNode.id(node.post(node.as("ada", "/mine/o-1"), "1"))).isEqualTo(first);
    }

    @Test
    void aMultipartFormWithAnotherBoundaryIsTheSamePush() {
        JobId first = JobNode.id(form("/mine/o-1", "one", "1"));
        HttpResponse<String> again = form("/mine/o-1", "other", "1");
        assertThat(JobNode.id(again)).isEqualTo(first);
        assertThat(again.headers().firstValue("Orderly-Duplicate")).hasValue("true");
        assertThat(form("/mine/o-1", "one", "2").statusCode()).isEqualTo(409);
    }

    @Test
    void aMultipartFormWithAnotherBoundaryIsTheSameRequestUnderAnIdempotencyKeyAndWithoutAnyKeyOnAFifoQueue() {
        JobId first = JobNode.id(form("/mine", "one", "1"));
        assertThat(JobNode.id(form("/mine", "other", "1"))).isEqualTo(first);
        assertThat(JobNode.id(form("/mine", "one", "2"))).isNotEqualTo(first);
        JobId mail = JobNode.id(form("/mail", "one", "1"));
        assertThat(JobNode.id(form("/mail", "other", "1"))).isEqualTo(mail);
        assertThat(form("/mail", "one", "2").statusCode()).isEqualTo(409);
    }

    /** A form with a file; with an idempotency key where the path is of a standard queue. */
    private HttpResponse<String> form(String path, String boundary, String value) {
        String body = """
                --%1$s\r
                Content-Disposition: form-data; name="a"\r
                \r
                %2$s\r
                --%1$s\r
                Content-Disposition: form-data; name="f"; filename="f.txt"\r
                Content-Type: text/plain\r
                \r
                content\r
                --%1$s--\r
                """.formatted(boundary, value);
        var request = node.as("ada", path).header("Content-Type", "multipart/form-data; boundary=" + boundary);
        return node.send((path.equals("/mail") ? request.header("Idempotency-Key", "k") : request)
                .POST(BodyPublishers.ofString(body)));
    }

    @Test
    void aRouteWithoutUsersLooksAtNoToken() {
        HttpResponse<String> answer = node.post(node.at("/open/o-1").header("Authorization", "Bearer broken"), "1");
        assertThat(job(answer).user()).isNull();
        assertThat(job(node.post(node.as("ada", "/open/o-2"), "1")).user()).isNull();
    }

    @Test
    void aRouteWhoseGroupIsTheUserNeedsUsersAndAQueueWithGroups() {
        for (Route.Users users : List.of(Route.Users.OPTIONAL, Route.Users.NONE)) {
            assertThatThrownBy(() -> new Route("/a", "a.fifo", List.of(), users, Route.Group.USER))
                    .hasMessageContaining("needs required users");
        }
        assertThatThrownBy(() -> new Route("/a", "a", List.of(), Route.Users.REQUIRED, Route.Group.USER))
                .hasMessageContaining("ends in .fifo");
        assertThatThrownBy(() -> new Route("/a/{group}", "a.fifo", List.of(), Route.Users.REQUIRED, Route.Group.USER))
                .hasMessageContaining("no {group}");
    }
}
