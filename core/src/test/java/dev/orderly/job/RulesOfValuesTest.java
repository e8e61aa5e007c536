package dev.orderly.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RulesOfValuesTest {
    @ParameterizedTest
    @ValueSource(strings = {"emails", "update_profile.fifo", "A-1", "a.b.c", "9"})
    void aQueueNameMayHaveLettersDigitsUnderscoresHyphensAndDots(String name) {
        assertThat(new QueueName(name).isFifo()).isEqualTo(name.endsWith(".fifo"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".fifo", "-a", "a b", "a/b", "ä", "a\n"})
    void aWrongQueueNameIsNamedInTheError(String name) {
        assertThatThrownBy(() -> new QueueName(name)).hasMessageContaining("\"" + name + "\"")
                .hasMessageContaining("80");
    }

    @Test
    void ofSixteenTurnsEightAreUrgentAndOneIsLow() {
        Map<Priority, Integer> turns = new EnumMap<>(Priority.class);
        for (int i = 0; i < 10 * Priority.turns(); i++) {
            turns.merge(Priority.turn(i), 1, Integer::sum);
        }
        assertThat(turns).containsExactlyInAnyOrderEntriesOf(
                Map.of(Priority.URGENT, 80, Priority.HIGH, 40, Priority.NORMAL, 30, Priority.LOW, 10));
    }

    @Test
    void standardRetriesTakeAboutADayAndFifoRetriesAboutFourteenMinutes() {
        assertThat(total(RetryPolicy.STANDARD)).isBetween(Duration.ofHours(20), Duration.ofHours(28));
        assertThat(total(RetryPolicy.FIFO)).isBetween(Duration.ofMinutes(12), Duration.ofMinutes(16));
    }

    private static Duration total(RetryPolicy policy) {
        RetryPolicy even = new RetryPolicy(policy.attempts(), policy.base(), policy.factor(), policy.max(), 0);
        Duration sum = Duration.ZERO;
        for (int failures = 1; failures < policy.attempts(); failures++) {
            sum = sum.plus(even.delayAfter(failures, new Random(1)).orElseThrow());
        }
        return sum;
    }

    @Test
    void retryWaitsGrowStayWithinJitterAndEndWithTheAttempts() {
        RetryPolicy policy = new RetryPolicy(4, Duration.ofSeconds(1), 2, Duration.ofSeconds(3), 0.5);
        Random random = new Random(3);
        for (int i = 0; i < 1_000; i++) {
            assertThat(policy.delayAfter(1, random).orElseThrow()).isBetween(Duration.ofMillis(500),
                    Duration.ofMillis(1_500));
            assertThat(policy.delayAfter(3, random).orElseThrow()).isBetween(Duration.ofMillis(1_500),
                    Duration.ofMillis(4_500));
        }
        assertThat(policy.delayAfter(4, random)).isEmpty();
    }

    @Test
    void theDefaultTimeoutOfAQueueIsFiveMinutes() {
        assertThat(QueueOptions.defaultsFor(new QueueName("mail")).timeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(QueueOptions.defaultsFor(new QueueName("mail.fifo")).timeout()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void settingsOutOfBoundsAreNamedWithTheirRule() {
        assertThatThrownBy(() -> new RetryPolicy(0, Duration.ofSeconds(1), 2, Duration.ofSeconds(3), 0))
                .hasMessageContaining("attempts").hasMessageContaining("1 to 1000");
        assertThatThrownBy(() -> new RetryPolicy(1, Duration.ofSeconds(4), 2, Duration.ofSeconds(3), 0))
                .hasMessageContaining("base").hasMessageContaining("at most max");
        assertThatThrownBy(() -> QueueOptions.STANDARD.withConcurrency(0)).hasMessageContaining("concurrency");
        assertThatThrownBy(() -> QueueOptions.STANDARD.withMaxPayload((1 << 20) + 1)).hasMessageContaining("1048576");
        assertThatThrownBy(() -> QueueOptions.STANDARD.withTimeout(Duration.ZERO)).hasMessageContaining("timeout");
        assertThatThrownBy(() -> new JobProgress(3, 2, "")).hasMessageContaining("3 of 2");
        assertThatThrownBy(() -> Priority.of(5)).hasMessageContaining("5").hasMessageContaining("1 (urgent) to 4");
    }

    @Test
    void equalPushesHaveEqualKeysAndEachPartOfAPushChangesTheKey() {
        QueueName queue = new QueueName("a.fifo");
        PushRequest push = PushRequest.of("a.fifo", Payload.json("{}")).withGroup("g").withUser(new UserId("u"))
                .withParams(Map.of("x", "1", "y", "2"));
        DedupeKey key = DedupeKey.ofContent(queue, push);
        DedupeKey form = DedupeKey.of(new byte[]{1});
        assertThat(DedupeKey.ofContent(queue, push.withParams(Map.of("y", "2", "x", "1")))).isEqualTo(key);
        assertThat(Stream.of(push.withGroup("h"), push.withPayload(Payload.json("[]")), push.withUser(new UserId("v")),
                push.withPayload(Payload.text("{}")), push.withParams(Map.of("x", "1", "y", "3")), push.withUser(null),
                push.withFormFingerprint(form)).map(other -> DedupeKey.ofContent(queue, other)))
                .doesNotContain(key).doesNotHaveDuplicates();
        assertThat(DedupeKey.ofContent(new QueueName("b.fifo"), push)).isNotEqualTo(key);
        assertThat(DedupeKey.ofContent(queue, push.withFormFingerprint(form).withPayload(Payload.json("[]"))))
                .isEqualTo(DedupeKey.ofContent(queue, push.withFormFingerprint(form)));
    }

    @Test
    void onlyAPushWithoutADedupeIdDependsOnTheJobThatPushes() {
        QueueName queue = new QueueName("a.fifo");
        PushRequest push = PushRequest.of("a.fifo", Payload.json("{}")).withGroup("g").withUser(new UserId("u"))
                .withParams(Map.of("x", "1"));
        PushRequest child = push.withParent(JobId.of(1L << 20, 1));
        assertThat(DedupeKey.ofPush(queue, push)).isEqualTo(DedupeKey.ofContent(queue, push));
        assertThat(DedupeKey.ofContent(queue, child)).isEqualTo(DedupeKey.ofContent(queue, push));
        assertThat(Stream.of(push, child, push.withParent(JobId.of(2L << 20, 1)))
                .map(each -> DedupeKey.ofPush(queue, each))).doesNotHaveDuplicates();
        assertThat(HexFormat.of().formatHex(DedupeKey.ofPush(queue, push).bytes()))
                .as("jobs that are stored with this key are found").isEqualTo("d6ef365baa7554d1b6e01cb721948808");
    }

    @Test
    void keysOfDedupeIdsDependOnTheBoundariesOfTheirParts() {
        QueueName queue = new QueueName("a");
        assertThat(DedupeKey.ofId(queue, null, "ab")).isNotEqualTo(DedupeKey.ofId(queue, "a", "b"));
        assertThat(DedupeKey.of(new byte[]{1}, new byte[]{2})).isNotEqualTo(DedupeKey.of(new byte[]{1, 2}));
    }
}
