package dev.orderly.store.postgres;

import static dev.orderly.store.postgres.Rooms.FAR;
import static dev.orderly.store.postgres.Rooms.NOW;
import static dev.orderly.store.postgres.Rooms.PASS;
import static dev.orderly.store.postgres.Rooms.PRESENT;
import static dev.orderly.store.postgres.Rooms.SALE;
import static dev.orderly.store.postgres.Rooms.admit;
import static dev.orderly.store.postgres.Rooms.govern;
import static dev.orderly.store.postgres.Rooms.joins;
import static dev.orderly.store.postgres.Rooms.line;
import static dev.orderly.store.postgres.Rooms.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.postgres.Rooms.Guest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deletion of rows that are not needed any more, in bounded parts with each step of the governor. */
class RoomForgettingTest {
    private static final int GUESTS = 2_500;

    private final PostgresOptions options = Server.fresh();
    private final PostgresStore postgres = PostgresStore.open(options, new Random(7));
    private final RoomStore rooms = postgres.rooms();

    @AfterEach
    void close() {
        postgres.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void rowsOfAnEarlierEpochAreDeletedInParts() {
        List<Guest> guests = guests();
        rooms.join(SALE, joins(10, PRESENT), NOW);
        rooms.depart(SALE, List.of(new Departure(guests.getFirst().id(), 1, 1, NOW.plus(PASS))), NOW);
        rooms.change(SALE, new RoomChange.NewEpoch(), NOW);
        govern(rooms, Limits.NONE, NOW);
        assertThat(count("pass")).isBetween(1L, GUESTS - 1L);
        for (int step = 0; step < 10; step++) {
            govern(rooms, Limits.NONE, NOW);
        }
        for (String table : List.of("pass", "present", "used_up", "voided", "old_line")) {
            assertThat(count(table)).as(table).isZero();
        }
    }

    @Test
    void usedUpTicketsAreForgottenAfterTheyHaveExpired() {
        List<Guest> guests = guests();
        Instant later = NOW.plus(Duration.ofHours(23));
        sync(rooms, "gate", FAR, later);
        List<Guest> late = line(rooms, SALE, 1);
        govern(rooms, Limits.NONE, later);
        assertThat(admit(rooms, late, AdmissionRequest.Kind.TAKEN, later))
                .hasOnlyElementsOfType(AdmissionResult.Entered.class);
        assertThat(count("used_up")).isEqualTo(3);
        Instant last = NOW.plus(Duration.ofHours(25));
        govern(rooms, Limits.NONE, last); // ends a walk over all of them
        govern(rooms, Limits.NONE, last);
        assertThat(count("used_up")).as("the chunk of the late visitor").isEqualTo(1);
        assertThat(admit(rooms, late, AdmissionRequest.Kind.TAKEN, last)).containsExactly(new AdmissionResult.Spent());
        assertThat(admit(rooms, guests.reversed().subList(0, 1), AdmissionRequest.Kind.TAKEN, last))
                .containsExactly(new AdmissionResult.Spent());
        assertThat(count("admission")).as("of the last hour").isZero();
        assertThat(count("pace")).as("of the last minute").isZero();
        assertThat(count("pass")).isZero();
    }

    /** Visitors inside, with used-up tickets. */
    private List<Guest> guests() {
        sync(rooms, "gate", FAR, NOW);
        govern(rooms, Limits.CLOSED, NOW);
        List<Guest> guests = line(rooms, SALE, GUESTS);
        govern(rooms, Limits.NONE, NOW);
        assertThat(admit(rooms, guests, AdmissionRequest.Kind.TAKEN, NOW))
                .hasOnlyElementsOfType(AdmissionResult.Entered.class);
        return guests;
    }

    private long count(String table) {
        return Server.count("SELECT count(*) FROM " + options.schema() + "." + table);
    }
}
