package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.gate.RoomRefusals.Cause;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.ForwardingRooms;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A room in which a user has one place, on all devices and at all gates. */
class OnePerUserTest extends RoomTest {
    private static final RoomOptions ONE = room(1).withOnePerUser(true);
    private static final TokenLifetimes SHORT = new TokenLifetimes(Duration.ofMinutes(5), Duration.ofMinutes(30),
            Duration.ofMinutes(10));

    private final Gate gate = gate("a", ONE, RoomSignals.none());
    private final Gate other = gate("b", ONE, RoomSignals.none());

    /** @param user empty for a visitor who is not signed in */
    private static Newcomer signedIn(Supplier<Optional<String>> user) {
        return new Newcomer() {
            @Override
            public String address() {
                return "198.51.100.1";
            }

            @Override
            public Supplier<Optional<String>> signIn() {
                return user;
            }
        };
    }

    private static Visit arrive(Gate at, ShownTokens shown, Supplier<Optional<String>> user) {
        return answer(at.room().visits().arrive(shown, signedIn(user), true));
    }

    /** A request of a user without cookies, as of another device. */
    private static Visit arrive(Gate at, String user) {
        return arrive(at, ShownTokens.NONE, () -> Optional.of(user));
    }

    private static long place(Visit visit) {
        return waiting(visit).position().ticket().place();
    }

    private static VisitorId visitor(Visit visit) {
        return waiting(visit).position().ticket().visitor();
    }

    private void fill() {
        admitted(arrive(gate, "first"));
        pass(1, gate, other);
    }

    @Test
    void devicesAtSeveralGatesShareOnePlaceAndHaveTicketsOfTheirOwn() {
        fill();
        Visit laptop = arrive(gate, "ann");
        pass(5, gate, other);
        Visit phone = arrive(other, "ann");
        assertThat(place(phone)).isEqualTo(place(laptop)).isEqualTo(2);
        assertThat(visitor(phone)).isEqualTo(visitor(laptop));
        assertThat(waiting(phone).position().ticket().issuedAt().getEpochSecond()).as("the wait so far")
                .isEqualTo(waiting(laptop).position().ticket().issuedAt().getEpochSecond());
        assertThat(place(arrive(other, "ben"))).isEqualTo(3);
        assertThat(place(arrive(gate, ticket(phone), Optional::empty))).as("a ticket counts without a sign-in")
                .isEqualTo(2);
        assertThat(other.room().visits().refusals().total(Cause.ONE_PER_USER).count()).isEqualTo(1);
    }

    @Test
    void thePlaceAdmitsOnceAndBothDevicesGetIn() {
        Visit first = arrive(gate, "first");
        pass(1, gate, other);
        Visit laptop = arrive(gate, "ann");
        Visit phone = arrive(other, "ann");
        assertThat(gate.room().visits().end(admitted(first).pass()).toCompletableFuture().join()).isTrue();
        pass(2, gate, other);
        assertThat(admitted(arrive(gate, ticket(laptop), Optional::empty)).pass().place()).isEqualTo(2);
        assertThat(admitted(arrive(other, ticket(phone), Optional::empty)).pass().place()).isEqualTo(2);
        assertThat(admitted(arrive(other, "ann")).pass().visitor()).as("a third device").isEqualTo(visitor(phone));
        pass(1, gate, other);
        assertThat(gate.room().state().load().active()).isEqualTo(1);
        assertThat(gate.room().state().pace().admitted()).isEqualTo(2);
    }

    @Test
    void aPlaceThatOneDeviceGaveBackIsGoneOnTheOther() {
        fill();
        ShownTokens laptop = ticket(arrive(gate, "ann"));
        ShownTokens phone = ticket(arrive(other, "ann"));
        assertThat(gate.room().visits().leave(laptop).toCompletableFuture().join()).isTrue();
        pass(2, gate, other);
        assertThat(answer(other.room().visits().look(phone))).isInstanceOf(Visit.NoTicket.class);
        assertThat(place(arrive(other, phone, () -> Optional.of("ann")))).as("anew").isEqualTo(3);
    }

    @Test
    void aVisitorWhoIsNotSignedInCostsNoPlace() {
        assertThat(arrive(gate, ShownTokens.NONE, Optional::empty)).isEqualTo(new Visit.NotSignedIn());
        assertThat(answer(gate.room().visits().arrive(ShownTokens.NONE, () -> "198.51.100.1", true)))
                .isEqualTo(new Visit.NotSignedIn());
        assertThat(gate.room().visits().refusals().total(Cause.NOT_SIGNED_IN).count()).isEqualTo(2);
        pass(1, gate, other);
        assertThat(gate.room().state().line().length()).isZero();
    }

    @Test
    void whileUsersCannotBeVerifiedNobodyGetsASecondPlaceAndNobodyLosesOne() {
        fill();
        Visit before = arrive(gate, "ann");
        Supplier<Optional<String>> broken = () -> {
            throw new IllegalStateException("The keys are out of reach");
        };
        assertThat(arrive(other, ShownTokens.NONE, broken)).isInstanceOf(Visit.Unavailable.class);
        assertThat(place(arrive(gate, ticket(before), broken))).isEqualTo(2);
    }

    @Test
    void aLostAnswerOfTheStoreLosesNoPlaceAndGivesNoSecondOne() {
        fill();
        store.failNext(Call.ROOM_JOIN, Fault.AFTER, 1);
        assertThat(arrive(gate, "ann")).isInstanceOf(Visit.Unavailable.class);
        pass(5, gate, other);
        assertThat(place(arrive(other, "ann"))).isEqualTo(2);
        assertThat(place(arrive(other, "ben"))).isEqualTo(3);
    }

    /** A gate out of reach may let an ended stay go on: the user's next device is asked to come again until then. */
    @Test
    void aStayThatMayGoOnElsewhereIsOverWithinAMinute() {
        RoomStore shared = new ForwardingRooms(rooms) {
            @Override
            public boolean isShared() {
                return true;
            }
        };
        Gate here = gate("here", shared, ONE, RoomSignals.none());
        Gate away = gate("away", shared, ONE, RoomSignals.none());
        ShownTokens inside = pass(arrive(away, "ann"));
        admitted(arrive(away, inside, Optional::empty));
        pass(290, here, away);
        pass(11, here);
        Visit visit = arrive(here, "ann");
        assertThat(visit).isInstanceOf(Visit.Unavailable.class);
        for (int seconds = 0; visit instanceof Visit.Unavailable; seconds++) {
            assertThat(seconds).isLessThan(65);
            pass(1, here);
            visit = arrive(here, "ann");
        }
        assertThat(admitted(visit).pass().place()).isEqualTo(2);
    }

    @Test
    void aGateThatMissedTwoEpochsSharesPlaces() {
        fill();
        gate.engine().change(NAME, new RoomChange.NewEpoch());
        gate.engine().change(NAME, new RoomChange.NewEpoch());
        pass(1, gate);
        Visit laptop = arrive(gate, "ann");
        assertThat(visitor(arrive(other, "ann"))).isEqualTo(visitor(laptop));
    }

    /** Passes time while a visitor stays inside. Returns the last pass; null if the stay ended. */
    private @Nullable ShownTokens stay(ShownTokens inside, int seconds, Gate... gates) {
        ShownTokens last = inside;
        for (int second = 0; second < seconds; second++) {
            pass(1, gates);
            Visit visit = arrive(gates[0], last, Optional::empty);
            if (!(visit instanceof Visit.Admitted in)) {
                return null;
            }
            last = in.token() == null ? last : pass(in);
        }
        return last;
    }

    @Test
    void noTicketOutlivesThePlaceOfItsUser() {
        Gate here = gate("short", ONE.withStay(SHORT), RoomSignals.none());
        ShownTokens inside = pass(arrive(here, "first"));
        pass(1, here);
        arrive(here, "ann");
        ShownTokens later = Objects.requireNonNull(stay(inside, 570, here));
        ShownTokens phone = ticket(arrive(here, "ann"));
        stay(later, 31, here);
        Visit anew = arrive(here, "ann");
        assertThat(visitor(arrive(here, phone, () -> Optional.of("ann")))).isEqualTo(visitor(anew));
        assertThat(answer(here.room().visits().look(phone))).isInstanceOf(Visit.NoTicket.class);
    }

    @Test
    void noTicketOutlivesThePlaceOfItsUserByALateAnswerOfTheStore() {
        fill();
        Gate slow = gate("slow", new ForwardingRooms(rooms) {
            @Override
            public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
                List<JoinResult> results = super.join(room, joins, now);
                time.advance(Duration.ofSeconds(8));
                return results;
            }
        }, ONE, RoomSignals.none());
        Visit laptop = arrive(slow, "ann");
        Visit phone = arrive(gate, "ann");
        assertThat(waiting(laptop).position().ticket().expiresAt())
                .isEqualTo(waiting(phone).position().ticket().expiresAt());
    }

    @Test
    void furtherDevicesProlongNoStay() {
        Gate here = gate("short", ONE.withStay(SHORT), RoomSignals.none());
        ShownTokens device = pass(arrive(here, "ann"));
        for (int minute = 0; device != null; minute++) {
            assertThat(minute).isLessThan(31);
            if (minute % 4 == 3 && arrive(here, "ann") instanceof Visit.Admitted in && in.token() != null) {
                device = pass(in);
            }
            device = stay(device, 60, here);
        }
    }

    @Test
    void whoWaitsKeepsThePlaceWhenTheSettingChanges() {
        Gate alone = gate("c", room(1), RoomSignals.none());
        fill();
        pass(1, alone);
        Visit anonymous = arrive(alone, ShownTokens.NONE, Optional::empty);
        alone.room().change(ONE);
        assertThat(place(arrive(alone, ticket(anonymous), Optional::empty))).isEqualTo(place(anonymous));
        Visit laptop = arrive(alone, "ann");
        Visit phone = arrive(gate, "ann");
        alone.room().change(room(1));
        gate.room().change(room(1));
        assertThat(place(arrive(alone, ticket(laptop), Optional::empty))).isEqualTo(place(laptop));
        assertThat(place(arrive(gate, ticket(phone), Optional::empty))).isEqualTo(place(laptop));
    }

    @Test
    void anOpenRoomAsksForNoSignIn() {
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.SHADOW));
        pass(1, gate, other);
        assertThat(arrive(gate, ShownTokens.NONE, Optional::empty)).isInstanceOf(Visit.Allowed.class);
    }

    @Test
    void aLobbyWithADrawHasOneTicketOfAUser() {
        RoomOptions drawn = ONE.withOpenings(new Openings(List.of(new Opening(
                time.now().plus(Duration.ofMinutes(10)).atZone(ZoneOffset.UTC), Duration.ofHours(1), null, null)
                .drawn(null)), false));
        gate.room().change(drawn);
        other.room().change(drawn);
        pass(2, gate, other);
        Visit laptop = arrive(gate, "ann");
        Visit phone = arrive(other, "ann");
        assertThat(place(phone)).isEqualTo(place(laptop)).isEqualTo(1);
        assertThat(place(arrive(other, "ben"))).isEqualTo(2);
        assertThat(waiting(phone).position().opening()).isNotNull();
    }

    @Test
    void anInvitationMovesThePlaceForAllDevices() {
        RoomOptions tiers = ONE.withTiers(new Tiers(List.of(Tier.invited("press", 50))));
        gate.room().change(tiers);
        other.room().change(tiers);
        pass(1, gate, other);
        fill();
        arrive(gate, "ben");
        arrive(gate, "carl");
        ShownTokens laptop = ticket(arrive(gate, "ann"));
        String code = gate.room().invite("press", 1, Duration.ofHours(1), null).codes().getFirst();
        assertThat(answer(other.room().visits().redeem(ShownTokens.NONE, code, "x", signedIn(Optional::empty))))
                .isEqualTo(new Visit.NotSignedIn());
        Visit phone = answer(other.room().visits().redeem(ShownTokens.NONE, code, "phone",
                signedIn(() -> Optional.of("ann"))));
        assertThat(place(phone)).isEqualTo(Tiers.start(1) + 1);
        pass(2, gate, other);
        assertThat(place(arrive(gate, laptop, () -> Optional.of("ann")))).as("the former device").isEqualTo(
                Tiers.start(1) + 1);
        String second = gate.room().invite("press", 1, Duration.ofHours(1), null).codes().getFirst();
        assertThat(
                answer(gate.room().visits().redeem(ShownTokens.NONE, second, "y", signedIn(() -> Optional.of("ann")))))
                .isEqualTo(new Visit.NotInvited(InvitationRefusal.SOONER));
    }

    @Test
    void atNoMomentAUserOfSeveralDevicesHasTwoPlaces() {
        Random random = new Random(33);
        List<Gate> gates = List.of(gate, other);
        Map<String, Map<Integer, ShownTokens>> devices = new HashMap<>();
        for (int step = 0; step < 600; step++) {
            String user = "user" + random.nextInt(6);
            int device = random.nextInt(3);
            Gate at = gates.get(random.nextInt(2));
            Map<Integer, ShownTokens> own = devices.computeIfAbsent(user, _ -> new HashMap<>());
            ShownTokens shown = random.nextInt(3) == 0 ? ShownTokens.NONE : own.getOrDefault(device, ShownTokens.NONE);
            switch (random.nextInt(12)) {
                case 0 -> at.room().visits().leave(shown).toCompletableFuture().join();
                case 1 -> pass(random.nextInt(400), gate, other);
                default -> {
                    Visit visit = arrive(at, shown, () -> Optional.of(user));
                    if (visit instanceof Visit.Waiting told && told.token() != null) {
                        own.put(device, ticket(visit));
                    } else if (visit instanceof Visit.Admitted in && in.token() != null) {
                        own.put(device, pass(visit));
                    }
                }
            }
            pass(2, gate, other);
            Set<VisitorId> held = new HashSet<>();
            for (ShownTokens each : own.values()) {
                if (at.room().visits().look(each).stage().toCompletableFuture().join() instanceof Visit.Waiting waits) {
                    held.add(waits.position().ticket().visitor());
                }
                at.room().visits().inside(each, () -> "198.51.100.1").ifPresent(in -> held.add(in.pass().visitor()));
            }
            assertThat(held).as("places of %s after step %d", user, step).hasSizeLessThanOrEqualTo(1);
        }
    }
}
