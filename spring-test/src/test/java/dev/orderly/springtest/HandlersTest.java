package dev.orderly.springtest;

import static dev.orderly.testkit.assertj.OrderlyAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.springtest.shop.Invoices;
import dev.orderly.springtest.shop.MailServer;
import dev.orderly.springtest.shop.MailServer.Mail;
import dev.orderly.springtest.shop.Parcels;
import dev.orderly.springtest.shop.Shop;
import dev.orderly.springtest.shop.SmtpServer;
import dev.orderly.testkit.harness.OrderlyHarness;
import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** Handlers in a slice: failures, lost workers, and what is left of a test. */
@OrderlyTest
@ContextConfiguration(classes = Shop.class)
class HandlersTest {
    private static final Mail MAIL = new Mail("bob@example.com", "Welcome");

    @MockitoBean
    MailServer server;

    @Autowired
    StandardQueue<Mail> mails;

    @Autowired
    OrderlyHarness harness;

    @Autowired
    ApplicationContext context;

    @Test
    void aMailIsSentAgainUntilTheServerTakesIt() {
        doThrow(new IllegalStateException("busy")).doThrow(new IllegalStateException("busy")).doNothing().when(server)
                .send(any());
        JobId id = mails.push(MAIL);

        harness.drain();
        assertThat(harness.job(id).state()).isEqualTo(JobState.DELAYED);

        harness.advance(Duration.ofMinutes(10));
        assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
        verify(server, times(3)).send(MAIL);
    }

    @Test
    void aMailIsSentAgainIfItsWorkerDies() {
        doAnswer(_ -> {
            harness.crashWorkers();
            return null;
        }).doNothing().when(server).send(any());
        JobId id = mails.push(MAIL);

        harness.drain();
        assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
        verify(server, times(2)).send(MAIL);
    }

    @RepeatedTest(2)
    void aTestLeavesNothingToTheNext() {
        doThrow(new IllegalStateException("busy")).when(server).send(any());
        mails.delay(Duration.ofHours(1)).push(MAIL);
        mails.push(MAIL);
        harness.drain();

        assertThat(harness).hasPushed(mails).withPayload(MAIL).times(2).withDelay(Duration.ofHours(1)).once();
    }

    @Test
    void onlyComponentsWithHandlersArePartOfTheSlice() {
        assertThat(context.getBeanNamesForType(SmtpServer.class)).isEmpty();
        assertThat(context.getBeanNamesForType(Invoices.class)).isEmpty();
        assertThat(context.getBeanNamesForType(Parcels.class)).hasSize(1);
    }
}
