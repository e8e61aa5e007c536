package dev.orderly.testkit.flow;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.orderly.flow.LogLimit;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.contract.input.HostileTexts;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.trace.LogContext;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

class LogLimitTest {
    private static final Logger LOG = LoggerFactory.getLogger(LogLimitTest.class);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private final LogLimit limit = new LogLimit(LOG, time);
    private final LogLines lines = LogLines.of(LOG.getName());

    @AfterEach
    void close() {
        lines.close();
    }

    private List<String> written() {
        return lines.events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void oneLineASecondIsWrittenAndTheNextTellsHowManyWereLeftOut() {
        IntStream.range(0, 50).forEach(n -> limit.warn("Number {} of {} failed", n, "mails"));
        assertThat(written()).containsExactly("Number 0 of mails failed");
        time.advance(SECOND.minusNanos(1));
        limit.warn("Number {} of {} failed", 50, "mails");
        assertThat(written()).hasSize(1);
        time.advance(Duration.ofNanos(1));
        limit.warn("Number {} of {} failed", 51, "mails");
        assertThat(written().getLast()).isEqualTo(
                "Number 51 of mails failed (and 50 like it since the last line)");
        time.advance(SECOND);
        limit.warn("Number {} of {} failed", 52, "mails");
        assertThat(written().getLast()).as("the count starts anew").isEqualTo("Number 52 of mails failed");
    }

    @Test
    @SuppressWarnings("UnnecessaryStringBuilder") // a value that is no text
    void noValueForgesALineOrCommandsATerminal() {
        for (String text : HostileTexts.some(11, 50)) {
            limit.warn("Job {} failed {} times: {}", text, 3, new StringBuilder(text));
            time.advance(SECOND);
        }
        assertThat(written()).hasSizeGreaterThan(50).noneMatch(HostileTexts::isHostile)
                .allMatch(line -> line.contains("failed 3 times"));
        try (LogContext _ = LogContext.ofJob("mails", "1", HostileTexts.all(), HostileTexts.all())) {
            assertThat(MDC.get("group")).contains("\\u001b").matches(text -> !HostileTexts.isHostile(text));
            assertThat(MDC.get("user")).isEqualTo(MDC.get("group"));
        }
    }

    @Test
    void rareMessagesAreWrittenAtOnce() {
        for (int n = 0; n < 5; n++) {
            limit.error("Failed");
            time.advance(SECOND);
        }
        assertThat(written()).hasSize(5).containsOnly("Failed");
        assertThat(lines.events()).allMatch(event -> event.getLevel() == Level.ERROR);
    }

    @Test
    void anExceptionIsWrittenWithItsStackAndNullIsAValue() {
        limit.error("Job {} of {} failed", "7", null, new IllegalStateException("broken"));
        assertThat(written()).containsExactly("Job 7 of null failed");
        assertThat(lines.events().getFirst().getThrowableProxy().getMessage()).isEqualTo("broken");
    }

    @Test
    void eachLimitCountsItsOwnLines() {
        LogLimit other = new LogLimit(LOG, time);
        limit.warn("one");
        other.warn("other");
        limit.warn("one");
        other.warn("other");
        assertThat(written()).containsExactly("one", "other");
    }

    @Test
    void aClockThatIsSetNeitherSilencesNorFloodsTheLog() {
        limit.warn("first");
        time.jump(Duration.ofDays(1));
        limit.warn("ahead");
        time.jump(Duration.ofDays(-2));
        time.advance(SECOND);
        limit.warn("back");
        assertThat(written()).containsExactly("first", "back (and 1 like it since the last line)");
    }

    @Test
    void ofManyThreadsOneWritesAndAllOthersAreCounted() throws InterruptedException {
        Thread[] threads = IntStream.range(0, 8).mapToObj(_ -> Thread.ofVirtual().start(
                () -> IntStream.range(0, 1_000).forEach(_ -> limit.warn("flood")))).toArray(Thread[]::new);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(written()).containsExactly("flood");
        time.advance(SECOND);
        limit.warn("after");
        assertThat(written().getLast()).isEqualTo("after (and 7999 like it since the last line)");
    }
}
