package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Limit;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.testkit.server.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More of everything that grows than the heap holds. */
@Tag("slow")
class SmallHeapTest {
    private static final int HEAP_MB = 64;
    private static final int DONE = 42;
    /** Jobs of each queue but the one with keys, which has twice as many. */
    private static final int SHARE = 6_000;
    private static final int BULK = 1_000;
    private static final String TEXT = "x".repeat(4_800);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void jobsThatTakeTwiceTheHeapAreKeptAndRunAfterARestart() {
        List<String> options = Stream.concat(ChildProcess.FAST_START.stream(),
                Stream.of("-Xmx" + HEAP_MB + "m", "-XX:+ExitOnOutOfMemoryError")).toList();
        assertThat(5L * SHARE * TEXT.length()).isGreaterThan((2L * HEAP_MB) << 20);
        for (String step : List.of("push", "run")) {
            ChildProcess.Ended ended = ChildProcess.run(ChildProcess.java(options, Crowd.class.getName(), step,
                    folder.resolve("orderly.db").toString()), Duration.ofMinutes(3),
                    builder -> builder.redirectErrorStream(true));
            assertThat(ended.exitCode()).as("%s: %s", step, ended.out()).isEqualTo(DONE);
        }
    }

    /** The program of the test. */
    static final class Crowd {
        private Crowd() {}

        record Work(String tenant, String text) {}

        public static void main(String[] arguments) {
            try (SqliteStore store = SqliteStore.at(Path.of(arguments[1]));
                    Orderly orderly = Orderly.open(store, EngineOptions.defaults())) {
                StandardQueue<String> mails = orderly.queue("mails", String.class);
                StandardQueue<String> later = orderly.queue("later", String.class);
                FifoQueue<String> orders = orderly.fifo("orders.fifo", String.class);
                StandardQueue<Work> keyed = orderly.queue("keyed", Work.class,
                        queue -> queue.withKey(Work::tenant).withPerKey(Limit.concurrency(2)));
                if (arguments[0].equals("push")) {
                    for (int from = 0; from < SHARE; from += BULK) {
                        List<String> part = IntStream.range(from, from + BULK).mapToObj(n -> n + TEXT).toList();
                        mails.pushAll(part);
                        later.delay(Duration.ofHours(1)).pushAll(part);
                        orders.pushAll(part, text -> "g" + text.hashCode() % 500);
                        for (int half = 0; half < 2; half++) {
                            keyed.pushAll(part.stream().map(text -> new Work("t" + text.hashCode() % 2_000, text))
                                    .toList());
                        }
                    }
                } else {
                    orderly.handle(mails, (_, _) -> {});
                    orderly.handle(orders, (_, _) -> {});
                    orderly.handle(keyed, (_, _) -> {});
                    orderly.start();
                }
                awaitJobs(orderly, arguments[0].equals("push") ? 1 : 0);
                System.exit(DONE);
            }
        }

        /** @param waiting 1 while all jobs wait, 0 once those that are due have run */
        private static void awaitJobs(Orderly orderly, int waiting) {
            Set<String> expected = Set.of("keyed " + 2 * waiting * SHARE + "+0", "later 0+" + SHARE,
                    "mails " + waiting * SHARE + "+0", "orders.fifo " + waiting * SHARE + "+0");
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> orderly.jobs().queues().stream()
                    .map(QueueStatus::view).map(view -> view.queue() + " " + view.waiting() + "+" + view.delayed())
                    .collect(Collectors.toSet()), expected::equals);
        }
    }
}
