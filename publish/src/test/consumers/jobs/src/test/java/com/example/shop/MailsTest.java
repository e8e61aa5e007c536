package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.orderly.Orderly;
import dev.orderly.testkit.harness.OrderlyHarness;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MailsTest {
    @Test
    void aFailedMailIsSentAgain() {
        List<String> tries = new ArrayList<>();
        try (OrderlyHarness harness = OrderlyHarness.open()) {
            Mails mails = new Mails(harness.orderly(), mail -> {
                tries.add(mail.to());
                if (tries.size() == 1) {
                    throw new IllegalStateException("away");
                }
            });
            harness.orderly().start();
            mails.welcome("ada@example.com");

            harness.advance(Duration.ofHours(1));

            assertEquals(List.of("ada@example.com", "ada@example.com"), tries);
        }
    }

    @Test
    void aMailIsSentFromAFile(@TempDir Path folder) throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        try (Orderly orderly = Mails.open(folder.resolve("orderly.db"))) {
            Mails mails = new Mails(orderly, mail -> sent.countDown());
            orderly.start();
            mails.welcome("ada@example.com");
            assertTrue(sent.await(1, TimeUnit.MINUTES));
        }
    }
}
