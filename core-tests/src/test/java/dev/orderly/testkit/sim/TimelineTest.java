package dev.orderly.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private record Entry(long at, int number) {}

    private final Timeline events = new Timeline();
    private final Random random = new Random(1);
    private final List<Entry> added = new ArrayList<>();
    private final List<Entry> run = new ArrayList<>();

    private void add() {
        // Many in one millisecond, some beyond the ring, and some a whole ring apart.
        long in = switch (random.nextInt(4)) {
            case 0 -> random.nextLong(3);
            case 1 -> random.nextLong(20_000);
            case 2 -> 16_384L * random.nextInt(4);
            default -> random.nextLong(200_000);
        };
        Entry entry = new Entry(events.now() + in, added.size());
        added.add(entry);
        events.add(entry.at, () -> run.add(entry));
    }

    @Test
    void eventsRunByTimeAndThoseOfAMillisecondInTheOrderOfAddition() {
        for (int n = 0; n < 500; n++) {
            add();
        }
        for (Runnable next = events.next(); next != null; next = events.next()) {
            next.run();
            assertThat(events.now()).isEqualTo(run.getLast().at);
            for (int n = random.nextInt(3); n > 0 && added.size() < 10_000; n--) {
                add();
            }
        }
        assertThat(run).isEqualTo(added.stream().sorted(Comparator.comparingLong(Entry::at)
                .thenComparingInt(Entry::number)).toList());
        assertThat(run).hasSize(10_000);
    }
}
