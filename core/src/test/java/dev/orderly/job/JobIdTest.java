package dev.orderly.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.store.JobSequence;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JobIdTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    @Test
    void anIdIsAUuidOfVersionSevenThatContainsItsSequenceAndTime() {
        Random random = new Random(7);
        JobSequence sequence = new JobSequence(0);
        for (int i = 0; i < 1_000; i++) {
            Instant now = NOON.plusMillis(random.nextInt(100));
            long number = sequence.next(now);
            JobId id = JobId.of(number, random.nextLong());
            assertThat(id.value().version()).isEqualTo(7);
            assertThat(id.value().variant()).isEqualTo(2);
            assertThat(id.sequence()).isEqualTo(number);
            assertThat(id.pushedAt()).isBetween(NOON, NOON.plusMillis(100));
            assertThat(JobId.parse(id.toString())).isEqualTo(id);
        }
    }

    @Test
    void idsOfAStoreSortInTheOrderOfTheirCreation() {
        JobSequence sequence = new JobSequence(0);
        JobId before = JobId.of(sequence.next(NOON), 42);
        for (int i = 0; i < 100_000; i++) {
            JobId next = JobId.of(sequence.next(NOON), 42);
            assertThat(next).isGreaterThan(before);
            before = next;
        }
    }

    @Test
    void numbersGrowWhenTheClockGoesBackOrAMillisecondIsSpent() {
        JobSequence sequence = new JobSequence(0);
        long first = sequence.next(NOON);
        long second = sequence.next(NOON.minusSeconds(60));
        assertThat(second).isEqualTo(first + 1);
        for (int i = 0; i < 40_000; i++) {
            sequence.next(NOON);
        }
        assertThat(JobId.of(sequence.next(NOON), 0).pushedAt()).isEqualTo(NOON.plusMillis(1));
    }

    @Test
    void aSequenceContinuesAfterTheLastNumberOfAnEarlierRun() {
        long last = JobSequence.startOf(NOON.plusSeconds(5));
        assertThat(new JobSequence(last).next(NOON)).isEqualTo(last + 1);
    }

    @Test
    void equalNumbersOfStoresWithDifferentSaltsGiveDifferentIds() {
        long number = new JobSequence(0).next(NOON);
        assertThat(JobId.of(number, 1)).isNotEqualTo(JobId.of(number, 2));
    }

    @Test
    void aWrongJobIdIsNamedInTheError() {
        assertThatThrownBy(() -> JobId.parse("order-7")).hasMessageContaining("order-7").hasMessageContaining("UUIDv7");
        assertThatThrownBy(() -> JobId.parse("123e4567-e89b-12d3-a456-426614174000")).hasMessageContaining("UUIDv7");
    }
}
