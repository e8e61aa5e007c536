package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.Priority;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The bound on the payload of a claim. */
public interface ClaimedBytesPart extends JobPart {
    private static String body(int bytes, int number) {
        return Character.toString('a' + number).repeat(bytes);
    }

    private static long sizeOf(List<ClaimedJob> jobs) {
        return jobs.stream().mapToLong(job -> job.payload().size()).sum();
    }

    @Test
    default void aClaimHandsOutNoMorePayloadThanItsLimit() {
        List<JobId> pushed = trial().push(IntStream.range(0, 10).mapToObj(n -> mail(body(1_000, n)))
                .toArray(JobDraft[]::new));
        TestNode node = trial().node();
        List<JobId> taken = new ArrayList<>();
        for (int claims = 0; claims < 4; claims++) {
            List<ClaimedJob> jobs = node.take(MAIL, 10, 3_500);
            assertThat(sizeOf(jobs)).isLessThanOrEqualTo(3_500);
            jobs.forEach(job -> taken.add(job.id()));
        }
        assertThat(taken).containsExactlyInAnyOrderElementsOf(pushed);
    }

    @Test
    default void jobsOfAllPrioritiesShareTheLimit() {
        trial().push(mail(body(1_000, 0)).priority(Priority.URGENT), mail(body(1_000, 1)).priority(Priority.LOW),
                mail(body(1_000, 2)));
        assertThat(trial().node().take(MAIL, 10, 2_999)).hasSize(2);
    }

    @Test
    default void aJobLargerThanTheLimitIsHandedOutAlone() {
        trial().push(mail(body(5_000, 0)), mail(body(10, 1)));
        trial().push(order("g", body(5_000, 0)), order("g", body(10, 1)), order("h", body(10, 2)));
        TestNode node = trial().node();
        assertThat(TestNode.bodies(node.take(MAIL, 10, 100))).containsExactly(body(5_000, 0));
        assertThat(TestNode.bodies(node.take(MAIL, 10, 100))).containsExactly(body(10, 1));
        assertThat(TestNode.bodies(node.take(ORDERS, 10, 100))).containsExactly(body(5_000, 0));
    }

    @Test
    default void allQueuesOfAClaimShareTheLimit() {
        trial().push(mail(body(1_000, 0)), order("g", body(1_000, 1)));
        TestNode node = trial().node();
        assertThat(trial().jobs().claim(new ClaimRequest(node.id(), List.of(new Demand(MAIL, 1), new Demand(ORDERS, 1)),
                1_999), trial().now()).jobs()).hasSize(1);
    }

    @Test
    default void groupsThatDidNotFitAreHandedOutLaterInOrder() {
        List<JobDraft> drafts = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            for (String group : List.of("g", "h", "i")) {
                drafts.add(order(group, body(1_000, n)));
            }
        }
        trial().pushAll(drafts);
        TestNode node = trial().node();
        List<String> firsts = new ArrayList<>();
        for (int handedOut = 0; handedOut < drafts.size();) {
            List<ClaimedJob> jobs = node.take(ORDERS, 10, 2_500);
            assertThat(jobs).isNotEmpty();
            assertThat(sizeOf(jobs)).isLessThanOrEqualTo(2_500);
            jobs.forEach(job -> firsts.add(job.group() + job.payload().asText().charAt(0)));
            node.done(jobs);
            handedOut += jobs.size();
        }
        for (String group : List.of("g", "h", "i")) {
            assertThat(firsts.stream().filter(first -> first.startsWith(group))).containsExactly(group + "a",
                    group + "b", group + "c", group + "d");
        }
    }
}
