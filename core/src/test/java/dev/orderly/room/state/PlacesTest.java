package dev.orderly.room.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Sets of places compared with sets of numbers. */
class PlacesTest {
    private static final long MOST = 200_000;

    private final Random random = new Random(1);

    @Test
    void aSetOfPlacesHoldsExactlyTheAddedPlaces() {
        PlaceSet places = new PlaceSet();
        Set<Long> numbers = new HashSet<>();
        for (int n = 0; n < 20_000; n++) {
            long place = random.nextLong(MOST);
            places.add(place);
            numbers.add(place);
        }
        places.add(1L << 52);
        for (long place = 0; place < MOST; place++) {
            assertThat(places.contains(place)).isEqualTo(numbers.contains(place));
        }
        assertThat(places.contains(1L << 52)).isTrue();
        assertThat(places.contains((1L << 52) + 1)).isFalse();
    }

    @Test
    void aSetIsAddedToAnother() {
        PlaceSet places = new PlaceSet();
        places.add(1);
        PlaceSet others = new PlaceSet();
        others.add(2);
        others.add(100_000);
        places.addAll(others);
        others.add(3);
        assertThat(List.of(1L, 2L, 100_000L)).allMatch(places::contains);
        assertThat(places.contains(3)).isFalse();
        places.clear();
        assertThat(places.contains(1)).isFalse();
    }

    @Test
    void placesAreOrderedLikeNumbers() {
        PlaceOrder order = new PlaceOrder();
        TreeSet<Long> numbers = new TreeSet<>();
        for (int n = 0; n < 5_000; n++) {
            long place = random.nextLong(random.nextBoolean() ? 3_000 : MOST);
            if (random.nextInt(3) > 0) {
                order.add(place);
                numbers.add(place);
            } else {
                order.remove(place);
                numbers.remove(place);
            }
            assertThat(order.before(place)).isEqualTo(numbers.headSet(place).size());
            assertThat(order.before(place + 1)).isEqualTo(numbers.headSet(place, true).size());
        }
        int nth = 0;
        for (long place : numbers) {
            assertThat(order.nth(++nth)).isEqualTo(place);
        }
        assertThat(order.nth(nth + 1)).isZero();
    }
}
