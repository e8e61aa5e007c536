package com.example.boxoffice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doThrow;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.springtest.OrderlyTest;
import dev.orderly.testkit.harness.OrderlyHarness;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

@OrderlyTest
class PrintingTest {
    @MockitoBean
    Printer printer;

    @Autowired
    StandardQueue<Ticket> tickets;

    @Autowired
    OrderlyHarness harness;

    @Test
    void aTicketIsPrintedWhenThereIsPaperAgain() {
        Ticket ticket = new Ticket("A1");
        doThrow(new IllegalStateException("no paper")).doNothing().when(printer).print(ticket);
        JobId id = tickets.push(ticket);

        harness.drain();
        assertThat(harness.job(id).state()).isEqualTo(JobState.DELAYED);
        harness.advance(Duration.ofMinutes(10));
        assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
    }
}
