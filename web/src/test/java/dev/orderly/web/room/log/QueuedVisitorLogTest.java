package dev.orderly.web.room.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.contract.input.HostileTexts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class QueuedVisitorLogTest {
    private final Disk disk = new Disk();
    private final QueuedVisitorLog log = new QueuedVisitorLog(disk, new LoggedAddress.Whole(), new ManualTime(), 1,
            () -> 0);

    private static final class Disk implements LineSink {
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private boolean full;

        @Override
        public void write(byte[] lines) throws IOException {
            if (full) {
                throw new IOException("No space left on device");
            }
            written.writeBytes(lines);
        }

        List<String> lines() {
            return written.toString(StandardCharsets.UTF_8).lines().toList();
        }

        @Override
        public void reopen() {}

        @Override
        public void close() {}
    }

    @Test
    void whatFindsNoRoomIsLostAtOnceAndItsNumberIsWritten() throws Exception {
        for (int i = 0; i < QueuedVisitorLog.CAPACITY + 7; i++) {
            log.add(entry("/tickets/" + i));
        }

        assertThat(log.lost()).isEqualTo(7);
        while (log.step().isZero()) {
            // until all is written
        }
        assertThat(disk.lines()).hasSize(QueuedVisitorLog.CAPACITY + 1);
        assertThat(disk.lines().getFirst()).contains("\"lost\":7");
        log.step();
        assertThat(disk.lines()).hasSize(QueuedVisitorLog.CAPACITY + 1);
    }

    @Test
    void noLineHasAHiddenCharacterAndEachIsJson() throws Exception {
        for (String text : HostileTexts.KINDS) {
            log.add(entry("/a" + text));
        }
        while (log.step().isZero()) {
            // until all is written
        }
        assertThat(disk.lines()).hasSameSizeAs(HostileTexts.KINDS).noneMatch(HostileTexts::isHostile)
                .allMatch(line -> JsonMapper.shared().readTree(line).isObject());
    }

    @Test
    void whatADiskRefusesIsCountedAndToldWhenItTakesLinesAgain() throws Exception {
        disk.full = true;
        log.add(entry("/a"));
        log.add(entry("/b"));
        log.step();
        assertThat(log.lost()).isEqualTo(2);

        disk.full = false;
        log.add(entry("/c"));
        log.step();

        assertThat(disk.lines()).hasSize(2);
        assertThat(disk.lines().getFirst()).contains("\"lost\":2");
        assertThat(disk.lines().getLast()).contains("/c");
    }

    @Test
    void aSampleHoldsItsShareOfTheRequests() {
        Random random = new Random(1);
        QueuedVisitorLog sampled = new QueuedVisitorLog(disk, new LoggedAddress.Whole(), new ManualTime(), 0.1,
                random::nextDouble);

        assertThat(IntStream.range(0, 10_000).filter(_ -> sampled.next() != null).count()).isBetween(900L, 1_100L);
    }

    @Test
    void addressesAreWholeShortenedOrHashed() throws Exception {
        InetAddress four = InetAddress.getByName("203.0.113.77");
        InetAddress six = InetAddress.getByName("2001:db8:1:2:3:4:5:6");
        LoggedAddress hashed = new LoggedAddress.Hashed(new byte[32]);

        assertThat(new LoggedAddress.Whole().of(four)).isEqualTo("203.0.113.77");
        assertThat(new LoggedAddress.Shortened().of(four)).isEqualTo("203.0.113.0");
        assertThat(new LoggedAddress.Shortened().of(six)).isEqualTo("2001:db8:1:0:0:0:0:0");
        assertThat(hashed.of(four)).hasSize(16).isEqualTo(hashed.of(InetAddress.getByName("203.0.113.77")))
                .isNotEqualTo(hashed.of(six)).isNotEqualTo(new LoggedAddress.Hashed(new byte[]{1}).of(four));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /tickets/12              | seat=4&row=B            | shop/tickets/12?seat=4&row=B
            /a                       | token=x&b=1             | shop/a?token=[redacted]&b=1
            /a                       | q=keyword&passenger=2   | shop/a?q=keyword&passenger=2
            /a                       | %74oken=x               | shop/a?%74oken=[redacted]
            /a                       | %zz=x                   | shop/a?%zz=[redacted]
            /a                       | b=9aF3kQz81LmPpX02tYwE  | shop/a?b=[redacted]
            /a                       | 9aF3kQz81LmPpX02tYwE    | shop/a?[redacted]
            /the-best-of-2026-and-2027-in-one-page |          | shop/the-best-of-2026-and-2027-in-one-page
            /r/0123456789abcdef0123456789abcdef    |          | shop/r/[redacted]
            /r/eyJhbGciOiJIUzI1NiJ9.eyJzdWIi       |          | shop/r/[redacted]
            /r;jsessionid=1;v=2/x    |                         | shop/r;jsessionid=[redacted];v=2/x
            """)
    void valuesThatAreSecretsAreReplaced(String path, String query, String shown) {
        assertThat(LogRedaction.ofTarget("shop", path, query)).isEqualTo(shown);
    }

    private static VisitorEntry entry(String target) {
        return new VisitorEntry(Instant.EPOCH, "sale", InetAddress.getLoopbackAddress(), "GET", target, "test", true,
                200, 1, 1L, null);
    }
}
