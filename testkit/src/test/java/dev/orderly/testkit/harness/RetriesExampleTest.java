package dev.orderly.testkit.harness;

import static dev.orderly.testkit.assertj.OrderlyAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of the page for Java: a mail server that is away, and the retries that reach it. */
class RetriesExampleTest {
    /** Waits 1, 2 and 4 minutes between four attempts, without jitter. */
    private static final RetryPolicy FOUR = new RetryPolicy(4, Duration.ofMinutes(1), 2, Duration.ofHours(1), 0);

    record Email(String to) {}

    record Receipt(String of) {}

    /** The fake of a mail server. */
    private static final class MailServer {
        final List<String> sent = new ArrayList<>();
        final List<Instant> asked = new ArrayList<>();
        int failures;

        void send(Email email, Instant now) throws IOException {
            asked.add(now);
            if (asked.size() <= failures) {
                throw new IOException("the mail server is away");
            }
            sent.add(email.to());
        }
    }

    private final MailServer mailServer = new MailServer();

    /** What the application does at its start. */
    private StandardQueue<Email> declare(OrderlyHarness harness) {
        Orderly orderly = harness.orderly();
        StandardQueue<Email> emails = orderly.queue("emails", Email.class, o -> o.withRetry(FOUR));
        StandardQueue<Receipt> receipts = orderly.queue("receipts", Receipt.class);
        orderly.handle(emails, (email, job) -> {
            mailServer.send(email, harness.time().now());
            receipts.push(new Receipt(email.to()));
        });
        orderly.start();
        return emails;
    }

    @Test
    void aMailIsSentOnceTheServerIsBack() {
        mailServer.failures = 2;
        try (OrderlyHarness harness = OrderlyHarness.open()) {
            StandardQueue<Email> emails = declare(harness);
            StandardQueue<Receipt> receipts = harness.orderly().queue("receipts", Receipt.class);
            JobId id = emails.push(new Email("ada@example.com"));

            harness.drain();
            assertThat(harness.job(id).state()).isEqualTo(JobState.DELAYED);
            assertThat(harness.job(id).failures()).isEqualTo(1);

            harness.advance(Duration.ofMinutes(10));
            assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
            assertThat(mailServer.sent).containsExactly("ada@example.com");
            assertThat(harness).hasPushed(receipts).withPayload(new Receipt("ada@example.com")).once();
            assertThat(minutesBetween(mailServer.asked)).containsExactly(1L, 2L);
        }
    }

    @Test
    void aMailThatNeverGoesOutIsADeadLetterAfterItsAttempts() {
        mailServer.failures = 100;
        try (OrderlyHarness harness = OrderlyHarness.open()) {
            JobId id = declare(harness).push(new Email("ada@example.com"));

            harness.advance(Duration.ofHours(1));

            assertThat(harness.job(id).state()).isEqualTo(JobState.DEAD);
            assertThat(mailServer.asked).hasSize(4);
            assertThat(harness).hasPushedNothingTo(harness.orderly().queue("receipts", Receipt.class));
        }
    }

    private static List<Long> minutesBetween(List<Instant> moments) {
        List<Long> minutes = new ArrayList<>();
        for (int n = 1; n < moments.size(); n++) {
            minutes.add(Duration.between(moments.get(n - 1), moments.get(n)).toMinutes());
        }
        return minutes;
    }
}
