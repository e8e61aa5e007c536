package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Store;
import dev.orderly.store.Bus;
import dev.orderly.store.Bus.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every sentence of {@link Bus} as a test, for stores that several nodes share. */
public abstract class BusContract {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private @Nullable Store first;
    private @Nullable Store second;
    private @Nullable Store third;

    /** An empty store. Closed by the contract. */
    protected abstract Store open();

    /** The same store as another node opens it. Closed by the contract. */
    protected abstract Store beside(Store store);

    @BeforeEach
    void begin() {
        first = open();
        second = beside(first);
        third = beside(first);
    }

    @AfterEach
    void end() {
        for (Store store : List.of(third(), second(), first())) {
            store.close();
        }
    }

    private Store first() {
        return Objects.requireNonNull(first);
    }

    private Store second() {
        return Objects.requireNonNull(second);
    }

    private Store third() {
        return Objects.requireNonNull(third);
    }

    /** Messages that a node receives from now on; returns once it is known to listen. */
    private BlockingQueue<byte[]> listen(Store node, Topic topic) {
        BlockingQueue<byte[]> heard = new LinkedBlockingQueue<>();
        node.bus().subscribe(topic, heard::add);
        return heard;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] next(BlockingQueue<byte[]> heard) {
        try {
            byte[] message = heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(message).as("a message within " + PATIENCE).isNotNull();
            return Objects.requireNonNull(message);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aMessageReachesAllOtherNodesAndNotItsPublisher() {
        BlockingQueue<byte[]> own = listen(first(), Topic.LIVE);
        BlockingQueue<byte[]> heard = listen(second(), Topic.LIVE);
        BlockingQueue<byte[]> also = listen(third(), Topic.LIVE);
        first().bus().publish(Topic.LIVE, text("hello"));
        assertThat(next(heard)).isEqualTo(text("hello"));
        assertThat(next(also)).isEqualTo(text("hello"));
        second().bus().publish(Topic.LIVE, text("and you"));
        assertThat(next(own)).isEqualTo(text("and you"));
    }

    @Test
    void topicsAreSeparate() {
        BlockingQueue<byte[]> work = listen(second(), Topic.WORK);
        BlockingQueue<byte[]> live = listen(second(), Topic.LIVE);
        first().bus().publish(Topic.LIVE, text("for people"));
        first().bus().publish(Topic.WORK, text("for workers"));
        assertThat(next(live)).isEqualTo(text("for people"));
        assertThat(next(work)).isEqualTo(text("for workers"));
        first().bus().publish(Topic.LIVE, text("end"));
        assertThat(next(live)).isEqualTo(text("end"));
        assertThat(work).isEmpty();
    }

    @Test
    void messagesOfANodeArriveInTheirOrderEvenIfTheyAreEqual() {
        BlockingQueue<byte[]> heard = listen(second(), Topic.LIVE);
        List<byte[]> told = IntStream.range(0, 1_000).mapToObj(n -> text("message " + n / 2)).toList();
        told.forEach(message -> first().bus().publish(Topic.LIVE, message));
        for (byte[] message : told) {
            assertThat(next(heard)).isEqualTo(message);
        }
    }

    @Test
    void arbitraryBytesArriveUnchangedUpToTheLargestMessage() {
        BlockingQueue<byte[]> heard = listen(second(), Topic.LIVE);
        Random random = new Random(5);
        for (int size : List.of(1, 2, 3, 100, 5_000, 7_900, 8_000, 8_001, 100_000, Bus.MAX)) {
            byte[] message = new byte[size];
            random.nextBytes(message);
            first().bus().publish(Topic.LIVE, message);
            first().bus().publish(Topic.LIVE, text("small"));
            assertThat(next(heard)).as("message of " + size + " bytes").isEqualTo(message);
            assertThat(next(heard)).isEqualTo(text("small"));
        }
    }

    @Test
    void allListenersReceiveEachMessage() {
        BlockingQueue<byte[]> one = listen(second(), Topic.WORK);
        BlockingQueue<byte[]> other = listen(second(), Topic.WORK);
        first().bus().publish(Topic.WORK, text("mail"));
        assertThat(next(one)).isEqualTo(text("mail"));
        assertThat(next(other)).isEqualTo(text("mail"));
    }

    @Test
    void emptyAndTooLargeMessagesAreRefused() {
        for (int size : List.of(0, Bus.MAX + 1)) {
            assertThatThrownBy(() -> first().bus().publish(Topic.LIVE, new byte[size]))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("use 1 to " + Bus.MAX);
        }
    }

    @Test
    void afterTheStoreIsClosedNothingIsPublished() {
        BlockingQueue<byte[]> heard = listen(second(), Topic.LIVE);
        Bus closed = third().bus();
        third().close();
        closed.publish(Topic.LIVE, text("from nowhere"));
        first().bus().publish(Topic.LIVE, text("end"));
        assertThat(next(heard)).isEqualTo(text("end"));
        assertThat(heard).isEmpty();
    }
}
