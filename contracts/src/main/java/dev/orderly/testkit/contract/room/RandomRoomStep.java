package dev.orderly.testkit.contract.room;

import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.RoomChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A step of a random run of a room. A {@code pick} is any number, which selects one of the visitors that exist at the
 * step, so that a list of commands stays meaningful without some of them.
 */
sealed interface RandomRoomStep {
    List<Tiers> TIERS = List.of(
            tiers(new Tier("members", "tier=gold", 20), new Tier("press", "press=yes", 5)),
            tiers(new Tier("members", "tier=gold", 60)), tiers(new Tier("gold", "tier=gold", 33)), Tiers.NONE);

    /**
     * @param enters whether the visitors may enter at once
     * @param tier of the visitors; null for none
     */
    record Joins(int visitors, boolean present, boolean enters, @Nullable String tier) implements RandomRoomStep {}

    /**
     * @param number of the invitation, of two series
     * @param former of the visitor, who has another place; less than zero for none
     * @param life of the invitation
     * @param user number of the visitor's user; less than zero for none
     */
    record Invited(int number, int former, boolean present, boolean enters, String tier, Duration life,
            int user) implements RandomRoomStep {}

    /** A user with one place asks for a place. */
    record UserJoins(int user, boolean present, boolean enters, @Nullable String tier) implements RandomRoomStep {}

    record RevokeInvitations(int series) implements RandomRoomStep {}

    record Admissions(List<Integer> picks, AdmissionRequest.Kind kind, boolean present,
            Duration life) implements RandomRoomStep {}

    record Renew(int pick, Duration life, boolean revive) implements RandomRoomStep {}

    record Move(int pick) implements RandomRoomStep {}

    record Depart(int pick, boolean placed) implements RandomRoomStep {}

    /**
     * @param covers number of places before the last one that the gate does not cover; less than zero if it covers all
     * @param lease seconds from now to the beginning of the gate's lease, less than zero for the past; 0 for no lease
     */
    record Sync(int gate, int covers, boolean current, List<Integer> present, List<Integer> gone, int lease)
            implements
                RandomRoomStep {}

    /** @param tiers as the configuration has them at this step */
    record Govern(int governor, Limits limits, int door, int horizon, Tiers tiers) implements RandomRoomStep {}

    record Change(RoomChange change) implements RandomRoomStep {}

    record Pass(Duration step) implements RandomRoomStep {}

    record Crash() implements RandomRoomStep {}

    /** The run goes on with a copy of the store. */
    record Copy() implements RandomRoomStep {}

    static List<RandomRoomStep> random(long seed, int length) {
        Random random = new Random(seed);
        List<RandomRoomStep> steps = Stream.generate(() -> next(random)).limit(length).toList();
        List<RandomRoomStep> some = seed % 2 == 0
                ? steps
                : steps.stream().map(step -> withTiers(step, random)).toList();
        return seed % 3 == 0 ? some.stream().map(step -> withUsers(step, random)).toList() : some;
    }

    /** As {@link #random}, with a copy after each {@code span} commands. */
    static List<RandomRoomStep> copying(long seed, int length, int span) {
        List<RandomRoomStep> commands = new ArrayList<>(random(seed, length));
        for (int at = span; at <= commands.size(); at += span + 1) {
            commands.add(at, new Copy());
        }
        return commands;
    }

    /** The step in a room with tiers, which change now and then. */
    private static RandomRoomStep withTiers(RandomRoomStep step, Random random) {
        return switch (step) {
            case Joins(_, boolean present, boolean enters, _) when random.nextInt(3) == 0 ->
                new Invited(random.nextInt(40), random.nextInt(1 << 20) * (random.nextInt(3) - 1), present, enters,
                        random.nextInt(3) == 0 ? "members" : "press",
                        random.nextInt(8) == 0 ? Duration.ZERO : Duration.ofDays(30), -1);
            case Move _ when random.nextInt(4) == 0 -> new RevokeInvitations(random.nextInt(2));
            case Joins(int visitors, boolean present, boolean enters, _) ->
                new Joins(visitors, present, enters, Arrays.asList("members", "press", "gold", null, null)
                        .get(random.nextInt(5)));
            case Govern(int governor, Limits limits, int door, int horizon, _) ->
                new Govern(governor, limits, door, horizon, TIERS.get(random.nextInt(random.nextInt(6) + 1) % 4));
            default -> step;
        };
    }

    /** The step in a room whose users have one place each, on several devices. */
    private static RandomRoomStep withUsers(RandomRoomStep step, Random random) {
        return switch (step) {
            case Joins(_, boolean present, boolean enters, String tier) ->
                new UserJoins(random.nextInt(6), present, enters, tier);
            case Invited(int number, int former, boolean present, boolean enters, String tier, Duration life, _) ->
                new Invited(number, former, present, enters, tier, life, random.nextInt(7) - 1);
            default -> step;
        };
    }

    private static Tiers tiers(Tier... all) {
        return new Tiers(List.of(all));
    }

    private static RandomRoomStep next(Random random) {
        return switch (random.nextInt(41)) {
            case 0, 1, 2, 3 -> new Joins(1 + random.nextInt(4), random.nextBoolean(),
                    random.nextInt(8) > 0, null);
            case 4, 5, 6, 7, 8, 9, 10, 11, 12 -> new Admissions(picks(random, 1 + random.nextInt(5)), kind(random),
                    random.nextInt(4) > 0, life(random));
            case 13, 14, 15 -> new Renew(random.nextInt(1 << 20), life(random), random.nextInt(3) == 0);
            case 16, 17 -> new Depart(random.nextInt(1 << 20), random.nextInt(4) > 0);
            case 18, 19, 20, 21, 22, 23, 24 -> new Sync(random.nextInt(2), random.nextInt(8) - 5,
                    random.nextInt(10) > 0, picks(random, random.nextInt(4)), picks(random, random.nextInt(2)),
                    random.nextInt(12) - 8);
            case 25, 26, 27, 28, 29, 30, 31 -> new Govern(random.nextInt(8) / 7, limits(random), random.nextInt(5),
                    random.nextInt(40), Tiers.NONE);
            case 32, 33 -> new Change(change(random));
            case 34, 35, 36, 37, 38 -> new Pass(step(random));
            case 39 -> new Move(random.nextInt(1 << 20));
            default -> new Crash();
        };
    }

    private static List<Integer> picks(Random random, int count) {
        return Stream.generate(() -> random.nextInt(1 << 20)).limit(count).toList();
    }

    private static AdmissionRequest.Kind kind(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> AdmissionRequest.Kind.RECORDED;
            case 1, 2, 3 -> AdmissionRequest.Kind.UNTAKEN;
            default -> AdmissionRequest.Kind.TAKEN;
        };
    }

    private static Duration life(Random random) {
        return Duration.ofSeconds(List.of(2, 10, 60, 300).get(random.nextInt(4)));
    }

    /** Whole seconds and single milliseconds, so that the run meets bounds exactly and just misses them. */
    private static Duration step(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> Duration.ofMillis(1);
            case 1 -> Duration.ofSeconds(1).minusMillis(1);
            case 2 -> Duration.ofSeconds(random.nextInt(20));
            case 3 -> Duration.ofSeconds(random.nextInt(400));
            default -> Duration.ofSeconds(1);
        };
    }

    private static Limits limits(Random random) {
        Integer capacity = random.nextInt(4) == 0 ? null : Integer.valueOf(random.nextInt(9));
        Supplier<Rate> rate = () -> new Rate(1 + random.nextInt(5),
                Duration.ofSeconds(List.of(1, 15, 60, 3_600).get(random.nextInt(4))));
        return new Limits(capacity, random.nextBoolean() ? null : rate.get());
    }

    private static List<OpeningChange> openings(Random random) {
        return random.nextBoolean()
                ? List.of()
                : List.of(OpeningChange.cancelled(Instant.ofEpochSecond(random.nextInt(3))));
    }

    private static RoomChange change(Random random) {
        return switch (random.nextInt(16)) {
            case 0 -> new RoomChange.NewEpoch();
            case 1, 2 -> random.nextBoolean()
                    ? new RoomChange.Message(null)
                    : RoomChange.Message.of("Message " + random.nextInt());
            case 3, 4 -> new RoomChange.Settings(random.nextBoolean() ? null : limits(random));
            case 5, 6, 7, 8 -> new RoomChange.Admit(1 + random.nextInt(3));
            case 11 -> new RoomChange.Openings(openings(random), openings(random), Instant.MAX);
            case 9, 10 -> new RoomChange.Mode(List.of(RoomMode.values()).get(random.nextInt(RoomMode.values().length)));
            default -> new RoomChange.Mode(RoomMode.AUTO);
        };
    }
}
