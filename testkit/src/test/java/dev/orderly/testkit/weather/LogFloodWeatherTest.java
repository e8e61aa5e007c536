package dev.orderly.testkit.weather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.orderly.Orderly;
import dev.orderly.job.EngineOptions;
import dev.orderly.job.JobState;
import dev.orderly.job.Queue;
import dev.orderly.job.QueueName;
import dev.orderly.job.Unprocessable;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogFloodWeatherTest {
    private static final int JOBS = 500;

    private final ManualTime time = new ManualTime();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final Logger logs = (Logger) LoggerFactory.getLogger("dev.orderly.job");
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel() == Level.ERROR) {
                errors.add(event.getFormattedMessage());
            }
        }
    };

    @BeforeEach
    void listen() {
        appender.start();
        logs.addAppender(appender);
    }

    @AfterEach
    void forget() {
        logs.detachAppender(appender);
    }

    @Test
    void aCrowdOfDeadLettersIsOneLineASecondWithTheirNumber() {
        try (Orderly orderly = Orderly.open(new MemoryStore(time),
                EngineOptions.defaults().withTime(time).withStopGrace(Duration.ZERO))) {
            Queue<String> queue = orderly.queue("mails", String.class);
            orderly.handle(queue, (_, _) -> {
                throw new Unprocessable("no such address");
            });
            orderly.start();
            orderly.jobs()
                    .pushAll(IntStream.range(0, JOBS).mapToObj(n -> orderly.jobs().request(queue, "m" + n)).toList());
            awaitDead(orderly, JOBS);
            time.advance(Duration.ofSeconds(2));
            queue.push("last");
            awaitDead(orderly, JOBS + 1);
        }
        assertThat(errors).hasSizeLessThan(JOBS / 5).anyMatch(line -> line.contains("like it since the last line"));
    }

    private void awaitDead(Orderly orderly, int count) {
        await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5)).until(() -> {
            time.advance(Duration.ofMillis(10));
            return orderly.jobs().list(new QueueName("mails"), JobState.DEAD, null, JOBS * 2).size() == count;
        });
    }
}
