package dev.orderly.room.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The order of a draw. */
class DrawOrderTest {
    private static final String ROOT = "ab".repeat(32);
    private static final int DRAWS = 1_000_000;

    private static String hex(Random random) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void everyPlaceIsDrawnOnce() {
        Random random = new Random(1);
        for (int count : new int[]{0, 1, 2, 7, 1_024, 20_000}) {
            DrawOrder order = DrawOrder.of(hex(random), hex(random), null, count);
            assertThat(IntStream.range(0, count).map(order::place).sorted().toArray())
                    .isEqualTo(IntStream.range(0, count).toArray());
        }
    }

    @Test
    void hashesThatBeginAlikeAreOrderedByTheirOtherBytes() {
        byte[][] hashes = new byte[50][32];
        for (int n = 0; n < hashes.length; n++) {
            hashes[n][0] = (byte) (n % 3 * 100);
            hashes[n][31] = (byte) (n * 91);
        }
        DrawOrder order = DrawOrder.by(index -> hashes[index], hashes.length);
        int[] expected = IntStream.range(0, hashes.length).boxed()
                .sorted((one, other) -> Arrays.compareUnsigned(hashes[one], hashes[other])).mapToInt(n -> n).toArray();
        assertThat(IntStream.range(0, hashes.length).map(n -> order.place(expected[n])).toArray())
                .isEqualTo(IntStream.range(0, hashes.length).toArray());
    }

    /** Of six orders of three each has a sixth of the draws, so that single places and pairs are uniform too. */
    @Test
    void singlePlacesAndPairsAreUniformOverAMillionDraws() {
        int[] orders = new int[27];
        for (int draw = 0; draw < DRAWS; draw++) {
            DrawOrder order = DrawOrder.of("5e".repeat(32), ROOT, Integer.toString(draw), 3);
            orders[order.place(0) * 9 + order.place(1) * 3 + order.place(2)]++;
        }
        int[] drawn = Arrays.stream(orders).filter(count -> count > 0).toArray();
        assertThat(drawn).hasSize(6);
        double expected = DRAWS / 6.0;
        double square = Arrays.stream(drawn).mapToDouble(count -> (count - expected) * (count - expected) / expected)
                .sum();
        assertThat(square).as("chi square of 5 degrees, above 25.7 once in ten thousand").isLessThan(25.7);
    }

    /** Who holds the seed computes the order of a guessed root, and joins where the guess says the first place is. */
    @Test
    void theHolderOfTheSeedInTheLobbyGainsNothingOverGuessing() {
        Random random = new Random(2);
        String seed = hex(random);
        int lobby = 20;
        int won = 0;
        int tries = 20_000;
        for (int attempt = 0; attempt < tries; attempt++) {
            DrawOrder guess = DrawOrder.of(seed, hex(random), null, lobby);
            int chosen = IntStream.range(0, lobby).filter(index -> guess.place(index) == 0).findFirst().orElseThrow();
            won += DrawOrder.of(seed, hex(random), null, lobby).place(chosen) == 0 ? 1 : 0;
        }
        assertThat(won / (double) tries).isCloseTo(1.0 / lobby, within(0.007));
    }

    @Test
    void theOrderFollowsFromSeedRootBeaconAndCountAlone() {
        DrawOrder first = DrawOrder.of("5e".repeat(32), ROOT, "17", 100);
        DrawOrder again = DrawOrder.of("5e".repeat(32), ROOT, "17", 100);
        assertThat(IntStream.range(0, 100).map(first::place).toArray())
                .isEqualTo(IntStream.range(0, 100).map(again::place).toArray());
        for (DrawOrder other : new DrawOrder[]{DrawOrder.of("5f".repeat(32), ROOT, "17", 100),
                DrawOrder.of("5e".repeat(32), "ac".repeat(32), "17", 100),
                DrawOrder.of("5e".repeat(32), ROOT, null, 100)}) {
            assertThat(IntStream.range(0, 100).map(other::place).toArray())
                    .isNotEqualTo(IntStream.range(0, 100).map(first::place).toArray());
        }
    }
}
