package dev.orderly.testkit.sim;

import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.IssuedInvitations;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The users and the invitations of a crowd, as the site and its operators know them. */
final class GuestList {
    /** The longest time until a gate has a changed configuration. */
    private static final long RELOAD = 2_000;
    private static final int SERIES = 15;
    /** Codes that are still tried. */
    private static final int TRIED = 60;

    private final Scenario scenario;
    private final Agenda agenda;
    private final List<Gate> gates;
    private final List<Code> codes = new ArrayList<>();
    private final List<Long> series = new ArrayList<>();
    private boolean onePer;
    private boolean allTiers = true;
    private long onePerFrom;
    private long keysFrom;

    /** @param user the user who alone may redeem the code; null if everybody may */
    record Code(String text, @Nullable String user) {}

    GuestList(Scenario scenario, Agenda agenda, List<Gate> gates) {
        this.scenario = scenario;
        this.agenda = agenda;
        this.gates = gates;
        this.onePer = scenario.guests().devices() > 0;
    }

    // ---- users

    /** The user of a device; null in a crowd that is not signed in. */
    @Nullable
    String user(int number) {
        int devices = scenario.guests().devices();
        return devices == 0 ? null : "user " + number / devices;
    }

    /** Whether a device comes with the user's token. */
    boolean isSignedIn(int number) {
        return user(number) != null && agenda.chance(0.9);
    }

    /** Whether a device comes together with one of the same user. */
    boolean comesAlong(int number) {
        int devices = scenario.guests().devices();
        return devices > 1 && number % devices != 0 && agenda.chance(0.5);
    }

    /** The sender of a device's requests. */
    Newcomer sender(int number, String address, boolean signedIn) {
        return new Newcomer() {
            @Override
            public String address() {
                return address;
            }

            @Override
            public Supplier<Optional<String>> tier(Tiers tiers) {
                return () -> tiers.first(tier -> tier.claim() != null
                        && scenario.tiers().all().indexOf(tier) == number % 10);
            }

            @Override
            public @Nullable Supplier<Optional<String>> signIn() {
                return scenario.guests().devices() == 0 ? null : () -> verified(number, signedIn);
            }
        };
    }

    private Optional<String> verified(int number, boolean signedIn) {
        if (agenda.now() < keysFrom) {
            throw new IllegalStateException("The keys of users are out of reach");
        }
        return Optional.ofNullable(user(number)).filter(_ -> signedIn);
    }

    /** Whether all gates have given each user one place from this moment on. */
    boolean haveOnePlaceEach(long from) {
        return onePer && from >= onePerFrom;
    }

    // ---- invitations

    /** Issues invitations from time to time: a new epoch ends all. */
    void invite() {
        gates.stream().map(Gate::room).filter(room -> room != null && !room.options().tiers().invited().isEmpty())
                .findFirst().ifPresent(this::invite);
        agenda.in(agenda.between(3_000, 20_000), this::invite);
    }

    private void invite(Room room) {
        String user = agenda.chance(0.3) ? user((int) agenda.between(0, scenario.crowd().count() - 1L)) : null;
        IssuedInvitations issued = room.invite(room.options().tiers().invited().getFirst(), SERIES,
                Duration.ofMinutes(agenda.chance(0.3) ? 1 : 60), user);
        series.add(InvitationId.parse(issued.series()).orElseThrow());
        issued.codes().forEach(code -> codes.add(new Code(code, user)));
    }

    /** A code that a visitor tries: of the last ones, or of none. */
    Code code() {
        return codes.isEmpty() || agenda.chance(0.05)
                ? new Code("Q" + agenda.between(0, 1_000), null)
                : codes.get((int) agenda.between(Math.max(0, codes.size() - TRIED), codes.size() - 1L));
    }

    // ---- what goes wrong

    /** A change of the configuration, a revocation, or users who cannot be verified. */
    void trouble() {
        switch ((int) agenda.between(0, 4)) {
            case 0, 1 -> {
                set(false, allTiers);
                agenda.in(agenda.between(3_000, 30_000), () -> set(true, allTiers));
            }
            case 2 -> {
                set(onePer, false);
                agenda.in(agenda.between(3_000, 30_000), () -> set(onePer, true));
            }
            case 3 -> revoke();
            default -> keysFrom = agenda.now() + agenda.between(1_000, 20_000);
        }
    }

    /** Ends all of it. */
    void heal() {
        keysFrom = 0;
        set(true, true);
    }

    private void set(boolean one, boolean all) {
        agenda.note("sees one-per " + one + ", all tiers " + all, 0, 0);
        onePerFrom = one && onePer ? onePerFrom : agenda.now() + RELOAD;
        onePer = one && scenario.guests().devices() > 0;
        allTiers = all;
        gates.forEach(gate -> agenda.in(agenda.between(0, RELOAD), () -> gate.change(this::configured)));
    }

    private RoomOptions configured(RoomOptions options) {
        List<Tier> all = scenario.tiers().all();
        return options.withOnePerUser(onePer)
                .withTiers(allTiers ? scenario.tiers() : new Tiers(all.subList(0, Math.max(0, all.size() - 1))));
    }

    private void revoke() {
        RoomEngine engine = gates.stream().map(Gate::engine).filter(known -> known != null).findFirst().orElse(null);
        if (engine == null || series.isEmpty()) {
            return;
        }
        long revoked = series.get((int) agenda.between(0, series.size() - 1L));
        try {
            engine.revokeInvitations(Gate.ROOM, revoked);
        } catch (StoreException e) {
            agenda.in(1_000, this::revoke);
        }
    }
}
