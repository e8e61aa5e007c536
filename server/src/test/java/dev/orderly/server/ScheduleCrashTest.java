package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.server.Receiver.Delivery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server with a schedule of every second, killed with {@code kill -9} and started again on the same file. */
@Tag("slow")
class ScheduleCrashTest {
    private static final int ROUNDS = 3;
    private static final Pattern INSTANT = Pattern.compile("instant=([^&]+)");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void anInstantMakesOneJobThroughEveryKillOfTheServer() throws IOException {
        try (Receiver receiver = new Receiver()) {
            Path config = Files.writeString(folder.resolve("orderly.yaml"), """
                    store: sqlite:data/orderly.db
                    edge: { host: 127.0.0.1 }
                    queues: { ticks: { handler: "%s", retry: { base: 100ms, max: 1s } } }
                    schedules: { tick: { cron: every second, queue: ticks, payload: [tick] } }
                    """.formatted(receiver.url()));
            for (int round = 0; round < ROUNDS; round++) {
                int before = jobs(receiver).size();
                try (ServerProcess _ = ServerProcess.start(config, folder.resolve("server.log"))) {
                    Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> jobs(receiver).size() >= before + 3);
                }
            }
            Map<String, String> jobOf = new HashMap<>();
            for (Delivery delivery : receiver.deliveries()) {
                Matcher instant = INSTANT.matcher(delivery.params());
                assertThat(instant.find()).as(delivery.params()).isTrue();
                assertThat(jobOf.merge(instant.group(1), delivery.job(), (first, _) -> first))
                        .as("the job of %s", instant.group(1)).isEqualTo(delivery.job());
                assertThat(delivery.body()).isEqualTo("[\"tick\"]");
            }
        }
    }

    private static Set<String> jobs(Receiver receiver) {
        return receiver.deliveries().stream().map(Delivery::job).collect(Collectors.toSet());
    }
}
