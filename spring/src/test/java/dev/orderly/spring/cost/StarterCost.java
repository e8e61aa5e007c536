package dev.orderly.spring.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.Job;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.JobHandler;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * What the starter costs: milliseconds at the start of an application, and the share of a handler method in a job that
 * does nothing. Runs by its name only: {@code -Dtest=StarterCost}.
 */
class StarterCost {
    private static final Logger LOG = LoggerFactory.getLogger(StarterCost.class);
    private static final int STARTS = 15;
    private static final int ROUNDS = 9;
    private static final int JOBS = 10_000;

    @TempDir
    Path folder;

    record Nothing(int number) {}

    /** A handler that counts. */
    static class Counting {
        final Semaphore ended = new Semaphore(0);

        @JobHandler("method")
        void run(Nothing nothing, Job<?> job) {
            ended.release();
        }
    }

    @Test
    void theStarterAddsAtMostThreeHundredMillisecondsToAStart() throws Exception {
        List<Long> without = new ArrayList<>();
        List<Long> with = new ArrayList<>();
        for (int round = -1; round < STARTS; round++) {
            long disabled = started("--orderly.enabled=false");
            long enabled = started("--orderly.store=sqlite:" + folder.resolve(round + ".db"));
            if (round >= 0) { // after the jars are in the memory of the system
                without.add(disabled);
                with.add(enabled);
            }
        }
        LOG.warn("Start without the starter: {} ms, with it: {} ms, added: {} ms ({} and {})", median(without),
                median(with), median(with) - median(without), without, with);
        assertThat(median(with) - median(without)).isLessThanOrEqualTo(300);
    }

    /** Milliseconds until an application in a JVM of its own is ready. */
    private static long started(String argument) throws IOException, InterruptedException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-cp", classPath, CostApplication.class.getName(),
                "--logging.level.root=off", argument).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return Long.parseLong(printed.strip().lines().reduce((_, last) -> last).orElseThrow());
    }

    @Test
    void aHandlerMethodCostsAtMostATenthOfAJobThatDoesNothing() throws Exception {
        try (ConfigurableApplicationContext application = CostApplication.start(Counting.class,
                "--orderly.store=sqlite:" + folder.resolve("jobs.db"), "--logging.level.root=warn")) {
            Orderly orderly = application.getBean(Orderly.class);
            Semaphore ended = new Semaphore(0);
            StandardQueue<Nothing> plain = orderly.queue("plain", Nothing.class);
            orderly.handle(plain, (_, _) -> ended.release());
            StandardQueue<Nothing> method = orderly.queue("method", Nothing.class);
            Counting counting = application.getBean(Counting.class);
            List<Long> direct = new ArrayList<>();
            List<Long> called = new ArrayList<>();
            for (int round = -2; round < ROUNDS; round++) {
                long first = micros(plain, ended);
                long second = micros(method, counting.ended);
                if (round >= 0) { // after the warm-up
                    direct.add(first);
                    called.add(second);
                }
            }
            double ratio = (double) median(called) / median(direct);
            LOG.warn("{} jobs by the plain API: {} us, by @JobHandler: {} us, ratio {}", JOBS, median(direct),
                    median(called), ratio);
            assertThat(ratio).isLessThanOrEqualTo(1.1);
        }
    }

    private static long micros(StandardQueue<Nothing> queue, Semaphore ended) throws InterruptedException {
        List<Nothing> all = IntStream.range(0, JOBS).mapToObj(Nothing::new).toList();
        long began = Time.system().nanos();
        queue.pushAll(all);
        ended.acquire(JOBS);
        return Duration.ofNanos(Time.system().nanos() - began).toNanos() / 1_000;
    }

    private static long median(List<Long> values) {
        List<Long> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
