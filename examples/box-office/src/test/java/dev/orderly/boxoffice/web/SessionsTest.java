package dev.orderly.boxoffice.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private final ManualTime time = new ManualTime();
    private final Sessions sessions = new Sessions(new byte[32], time);

    @Test
    void aSessionBelongsToItsCustomerForAWeek() {
        String token = sessions.token("customer-ann");
        assertThat(sessions.customer(token)).contains("customer-ann");

        time.advance(Duration.ofDays(6));
        assertThat(sessions.customer(token)).contains("customer-ann");
        time.advance(Duration.ofDays(2));
        assertThat(sessions.customer(token)).isEmpty();
    }

    @Test
    void aForgedTokenHasNoCustomer() {
        String[] ann = sessions.token("customer-ann").split("\\.", -1);
        String[] bob = sessions.token("customer-bob").split("\\.", -1);
        String[] stranger = new Sessions("another secret of 32 bytes or more".getBytes(US_ASCII), time)
                .token("customer-ann").split("\\.", -1);

        for (String forged : List.of("", "customer-ann", ann[0] + "." + bob[1] + "." + ann[2],
                ann[0] + "." + ann[1], ann[0] + "." + ann[1] + ".", "." + ann[1] + "." + ann[2],
                stranger[0] + "." + stranger[1] + "." + stranger[2],
                "eyJhbGciOiJub25lIn0." + ann[1] + ".", ann[0] + "." + ann[1] + "." + ann[2] + "x",
                ann[0] + "." + "x".repeat(600) + "." + ann[2])) {
            assertThat(sessions.customer(forged)).as(forged).isEmpty();
        }
    }
}
