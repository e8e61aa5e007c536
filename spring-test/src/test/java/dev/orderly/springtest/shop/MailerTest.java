package dev.orderly.springtest.shop;

import static dev.orderly.testkit.assertj.OrderlyAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.springtest.OrderlyTest;
import dev.orderly.springtest.shop.MailServer.Mail;
import dev.orderly.testkit.harness.OrderlyHarness;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** The example of docs/spring.md, word for word. */
@OrderlyTest
class MailerTest {
    @MockitoBean
    MailServer server;
    @Autowired
    StandardQueue<Mail> mails;
    @Autowired
    OrderlyHarness harness;

    @Test
    void aMailIsSentAgainUntilTheServerTakesIt() {
        doThrow(new IllegalStateException("busy")).doNothing().when(server).send(any());
        JobId id = mails.push(new Mail("ada@example.com", "Welcome"));
        harness.drain();
        harness.advance(Duration.ofMinutes(10));
        assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
    }

    @Test
    void aReminderIsPushedOnceADay() {
        harness.advance(Duration.ofDays(2));
        assertThat(harness).hasPushed(mails).withPayload(new Mail("ada@example.com", "A new day")).times(2);
    }
}
