package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bound on a stay, whose visitor shows the ticket beside the passes. */
class LongestStayTest extends RoomTest {
    private Gate bounded(Duration longest) {
        TokenLifetimes stay = new TokenLifetimes(Duration.ofSeconds(60), longest, Duration.ofHours(1));
        return gate("b", RoomOptions.of(new Limits(1, null)).withStay(stay), RoomSignals.none());
    }

    /** The ticket of a visitor who waited and is called. */
    private ShownTokens called(Gate bounded) {
        pass(12, bounded);
        ShownTokens first = pass(bounded.arrive());
        ShownTokens ticket = ticket(bounded.arrive());
        bounded.room().visits().leave(first);
        pass(2, bounded);
        return ticket;
    }

    @Test
    void theLongestStayAppliesToARepeatedTicketToo() {
        Gate bounded = bounded(Duration.ofSeconds(90));
        ShownTokens ticket = called(bounded);
        admitted(bounded.arrive(ticket));
        int seconds = 0;
        ShownTokens shown = ticket;
        while (seconds < 400
                && answer(bounded.room().visits().enter(shown)) instanceof Visit.Admitted(_, String token, _)) {
            shown = token == null || seconds % 20 == 0 ? ticket : new ShownTokens(ticket.tickets(), List.of(token));
            pass(1, bounded);
            seconds++;
        }
        assertThat(seconds).isLessThanOrEqualTo(92);
    }

    /** The pass that the ticket takes ends in the second in which the renewed one ends. */
    @Test
    void aTicketShownTogetherWithEachRenewalProlongsNoStay() {
        Gate bounded = bounded(Duration.ofSeconds(150));
        ShownTokens ticket = called(bounded);
        ShownTokens shown = pass(bounded.arrive(ticket));
        int seconds = 0;
        while (seconds < 400
                && answer(bounded.room().visits().enter(shown)) instanceof Visit.Admitted(_, String renewed, _)) {
            shown = renewed == null ? shown : pass(bounded.arrive(ticket));
            pass(1, bounded);
            seconds++;
        }
        assertThat(seconds).isBetween(100, 152);
    }
}
