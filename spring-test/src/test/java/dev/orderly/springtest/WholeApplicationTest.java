package dev.orderly.springtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.config.OrderlyProperties;
import dev.orderly.spring.config.OrderlyProperties.Foreign;
import dev.orderly.springtest.shop.MailServer.Mail;
import dev.orderly.springtest.shop.Payments;
import dev.orderly.springtest.shop.Shop;
import dev.orderly.springtest.shop.SmtpServer;
import dev.orderly.testkit.harness.OrderlyHarness;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/**
 * A test of a whole application, as a reader would write it. Spring Modulith's registry of events stays out, since it
 * needs a database, which this application does not have.
 */
@SpringBootTest(classes = Shop.class, properties = "spring.autoconfigure.exclude="
        + "org.springframework.modulith.events.config.EventPublicationAutoConfiguration")
@AutoConfigureOrderlyHarness
class WholeApplicationTest {
    private static final Mail MAIL = new Mail("bob@example.com", "Welcome");

    @Autowired
    SmtpServer server;

    @Autowired
    StandardQueue<Mail> mails;

    @Autowired
    StandardQueue<String> payments;

    @Autowired
    Payments bookings;

    @Autowired
    OrderlyHarness harness;

    @Autowired
    OrderlyProperties properties;

    @Test
    void theApplicationsOwnBeansDoTheWork() {
        mails.push(MAIL);
        harness.drain();

        assertThat(server.sent).containsExactly(MAIL);
        assertThat(harness.pushed(mails)).singleElement().matches(job -> job.as(Mail.class).equals(MAIL));
    }

    @Test
    void withoutATransactionManagerAHandlerInATransactionRunsInNone() {
        JobId id = payments.push("ten");
        harness.drain();

        assertThat(bookings.booked).containsExactly("ten without a transaction");
        assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
    }

    @Test
    void aPushInATransactionIsStoredAtOnceUnlessTheTestRefusesIt() {
        assertThat(properties.getTransactions().foreign()).isEqualTo(Foreign.PUSH_AT_ONCE);
    }
}
