package dev.orderly.room.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.VisitorQuery.ById;
import dev.orderly.room.gate.VisitorQuery.ByPlace;
import dev.orderly.room.gate.VisitorQuery.ByTicket;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator enters to find a visitor. */
class VisitorQueryTest {
    @ParameterizedTest
    @ValueSource(strings = {"5318", " 5,318 ", "5.318", "5\u202f318", "5'318", "#5318",
            "\u0665\u066c\u0663\u0661\u0668"})
    void aTicketNumberIsReadAsThePageShowsItInAnyLanguage(String text) {
        assertThat(VisitorQuery.parse(text)).isEqualTo(new ByPlace(5318));
    }

    @Test
    void anIdAndATicketAreNoNumbers() {
        VisitorId id = VisitorId.random(new Random(1));
        assertThat(VisitorQuery.parse(" " + id + " ")).isEqualTo(new ById(id));
        assertThat(VisitorQuery.parse("eyJ0.e30.sig")).isEqualTo(new ByTicket("eyJ0.e30.sig"));
        assertThat(VisitorQuery.parse("0")).isInstanceOf(ByTicket.class);
        assertThat(VisitorQuery.parse("9".repeat(40))).isInstanceOf(ByTicket.class);
        assertThat(VisitorQuery.parse("")).isInstanceOf(ByTicket.class);
    }

    @Test
    void aNumberBehindTheNameOfATierIsOneOfItsLine() {
        assertThat(VisitorQuery.parse(" members 5,318 ")).isEqualTo(new VisitorQuery.ByTier("members", 5318));
    }
}
