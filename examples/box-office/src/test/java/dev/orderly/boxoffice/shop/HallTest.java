package dev.orderly.boxoffice.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HallTest {
    @Test
    void aRepeatedReservationOfAnOrderReturnsTheSameSeats() {
        SeatPlan hall = new SeatPlan(10);
        assertThat(hall.reserve("a", 3)).contains(new Seats(0, 3));
        assertThat(hall.reserve("b", 2)).contains(new Seats(3, 2));
        assertThat(hall.reserve("a", 3)).contains(new Seats(0, 3));
        assertThat(hall.left()).isEqualTo(5);
    }

    @Test
    void anOrderThatDoesNotFitGetsNoSeatsAndASmallerOneStillFits() {
        SeatPlan hall = new SeatPlan(4);
        hall.reserve("a", 3);
        assertThat(hall.reserve("b", 2)).isEmpty();
        assertThat(hall.reserve("c", 1)).contains(new Seats(3, 1));
        assertThat(hall.left()).isZero();
    }

    @Test
    void seatsOfRandomOrdersNeverOverlap() {
        SplittableRandom random = new SplittableRandom(7);
        SeatPlan hall = new SeatPlan(500);
        Set<Integer> sold = new HashSet<>();
        for (int order = 0; order < 300; order++) {
            hall.reserve("order " + order, random.nextInt(1, 7)).ifPresent(seats -> assertThat(seats.numbers())
                    .allSatisfy(number -> assertThat(sold.add(number)).as("seat %d, seed 7", number).isTrue()));
        }
        assertThat(sold).hasSize(500 - hall.left()).allMatch(seat -> seat < 500);
    }

    @Test
    void seatsAreNamedByRowAndPlace() {
        assertThat(new Seats(0, 1)).hasToString("Row 1, seat 1");
        assertThat(new Seats(21, 3)).hasToString("Row 2, seats 2 to 4");
        assertThat(new Seats(19, 2)).hasToString("Row 1, seat 20 to row 2, seat 1");
    }
}
