package dev.orderly.store.postgres.live;

import static org.awaitility.Awaitility.await;

import dev.orderly.Store;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.Bus;
import dev.orderly.store.postgres.Server;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Hints at pushed jobs. */
class PushHintTest {
    private static final NewJob JOB = new NewJob(new QueueName("mail"), null, Priority.NORMAL, null, Payload.text("a"),
            Map.of(), null, null, null);

    @Test
    void aPushOnAnIdleBusReachesTheOtherNodesWithTheCommit() {
        List<String> received = new CopyOnWriteArrayList<>();
        try (Store store = Server.open(Server.fresh());
                Store other = Server.open(((Server.Opened) store).options())) {
            other.bus().subscribe(Bus.Topic.WORK, message -> received.add(new String(message, StandardCharsets.UTF_8)));
            await().until(() -> {
                store.jobs().push(List.of(JOB), Instant.EPOCH);
                return received.contains("mail");
            });
        }
    }
}
