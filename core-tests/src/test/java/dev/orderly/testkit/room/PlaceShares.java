package dev.orderly.testkit.room;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.crowd.Verdict;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The share of the first places that one per cent of a crowd gets, by the number of addresses that each of them has and
 * by the defences of the room. The gate is the real one, on manual time. People come once, within a minute, from a
 * network with three others; programs ask three times from each address within ten seconds, and give no proof that they
 * are people. They keep no cookie but the one of a wait, which a program ends by work, one place after the other.
 */
final class PlaceShares {
    /** The addresses of each program. */
    static final List<Integer> ADDRESSES = List.of(1, 10, 100, 1_000);
    private static final int PEOPLE = 495;
    private static final int PROGRAMS = 5;
    private static final int STOCK = 100;
    private static final int ATTEMPTS = 3;
    /** Crowds over which a share is the mean: fewer where they are large. */
    private static final int CROWDS = 100;
    private static final int CROWDS_MOST = 10;
    /** Seconds before the lobby, and those of the lobby. */
    private static final int BEFORE = 5;
    private static final int LOBBY = 70;
    private static final int CROWDED_FROM = 5;
    private static final Duration PEOPLE_WITHIN = Duration.ofSeconds(60);
    private static final Duration PROGRAMS_WITHIN = Duration.ofSeconds(10);
    /** The default work, about 2.6 million rounds, by native code on one core. */
    private static final Duration WORK = Duration.ofSeconds(1);
    private static final RoomName SALE = new RoomName("sale");
    /** Those that are known. */
    private static final Map<Case, Double> SHARES = new ConcurrentHashMap<>();

    /** What the room does against programs. */
    enum Defence {
        NONE("nothing", false, Asks.NOTHING, false, false),
        JOINS("`joins-per-address: 1 per 1h`", true, Asks.NOTHING, false, false),
        CHECK("the same, and `check` with `crowded-from: 5`; addresses of rented servers", true, Asks.PROOF, false,
                false),
        SCATTERED("the same; each address in a network of its own", true, Asks.PROOF, false, true),
        DRAW("`draw: true` alone", false, Asks.NOTHING, true, false),
        JOINS_DRAW("`joins-per-address: 1 per 1h` and `draw: true`", true, Asks.NOTHING, true, false),
        ALL("all three; addresses of rented servers", true, Asks.PROOF, true, false),
        ALL_SCATTERED("all three; each address in a network of its own", true, Asks.PROOF, true, true),
        WORK("`joins-per-address: 1 per 1h` and `proof-of-work` with `crowded-from: 5`; addresses of rented servers,"
                + " one processor core a program", true, Asks.WORK, false, false),
        WORK_DRAW("the same and `draw: true`", true, Asks.WORK, true, false);

        private final String text;
        private final boolean joins;
        private final Asks asks;
        private final boolean draw;
        private final boolean scattered;

        Defence(String text, boolean joins, Asks asks, boolean draw, boolean scattered) {
            this.text = text;
            this.joins = joins;
            this.asks = asks;
            this.draw = draw;
            this.scattered = scattered;
        }
    }

    /** What visitors of a crowded network are asked for. */
    private enum Asks {
        NOTHING, PROOF, WORK
    }

    /**
     * A request for a place.
     *
     * @param program -1 for a person
     * @param shown the wait that is over
     */
    private record Attempt(long millis, String address, int program, ShownTokens shown) {
        boolean person() {
            return program < 0;
        }

        Attempt after(Visit.Slowed wait) {
            return new Attempt(millis + wait.retryAfter().toMillis(), address, program,
                    new ShownTokens(List.of(String.valueOf(wait.token())), List.of()));
        }
    }

    /**
     * A visitor who may be asked for a proof or for work.
     *
     * @param busy when the core of each program has done its work, in milliseconds; a person's is free
     */
    private record Asked(Attempt attempt, Asks asks, AtomicLongArray busy) implements Newcomer {
        @Override
        public String address() {
            return attempt.address();
        }

        @Override
        public @Nullable CompletionStage<Verdict> check(LongSupplier ofNetwork) {
            return asks == Asks.NOTHING || ofNetwork.getAsLong() < CROWDED_FROM
                    ? null
                    : CompletableFuture.completedStage(attempt.person()
                            ? new Verdict.Allow()
                            : asks == Asks.WORK ? worked() : new Verdict.Refuse());
        }

        /** Work is a wait of its length, behind the work that its program does already. */
        private Verdict worked() {
            long done = Math.max(busy.get(attempt.program()), attempt.millis()) + WORK.toMillis();
            Duration wait = Duration.ofMillis(done - attempt.millis());
            if (wait.compareTo(Verdict.Slow.LONGEST) > 0) {
                return new Verdict.Refuse();
            }
            busy.set(attempt.program(), done);
            return new Verdict.Slow(wait);
        }
    }

    private record Case(Defence defence, int addresses) {}

    private record Taken(ShownTokens ticket, boolean person) {}

    private PlaceShares() {}

    /** The rows of the table on the page. */
    static String table() {
        String head = ADDRESSES.stream().map(n -> String.format(Locale.ROOT, "%,d", n))
                .collect(Collectors.joining(" | "));
        return "| addresses of each program | " + head + " |\n|---|---|---|---|---|\n" + Stream.of(Defence.values())
                .map(defence -> "| " + defence.text + " | " + ADDRESSES.stream()
                        .map(n -> Math.round(100 * share(defence, n)) + " %").collect(Collectors.joining(" | ")) + " |")
                .collect(Collectors.joining("\n"));
    }

    /** The programs' share of the first places, on average over some crowds; computed once. */
    static double share(Defence defence, int addresses) {
        return SHARES.computeIfAbsent(new Case(defence, addresses), PlaceShares::mean);
    }

    private static double mean(Case of) {
        Defence defence = of.defence();
        int addresses = of.addresses();
        return IntStream.range(0, Math.clamp(CROWDS / addresses, 1, CROWDS_MOST))
                .mapToDouble(seed -> share(defence, addresses, seed)).average().orElseThrow();
    }

    private static double share(Defence defence, int addresses, int seed) {
        ManualTime time = new ManualTime();
        RoomEngine engine = new RoomEngine(new MemoryStore(time).rooms(),
                new RoomTokens(TokenKeys.of(List.of(new byte[32]))), new GateId("gate"), time, new Random(seed))
                .withCommitsOn(Runnable::run, () -> {});
        Room room = engine.declare(SALE, options(defence, time), RoomSignals.none());
        engine.step();
        List<Taken> taken = new ArrayList<>();
        long now = 0;
        pass(engine, time, BEFORE);
        PriorityQueue<Attempt> attempts = new PriorityQueue<>(Comparator.comparingLong(Attempt::millis));
        attempts.addAll(attempts(addresses, defence.scattered, seed));
        AtomicLongArray busy = new AtomicLongArray(PROGRAMS);
        while (!attempts.isEmpty()) {
            Attempt attempt = attempts.remove();
            if (attempt.millis() >= LOBBY * 1_000L) {
                break;
            }
            pass(engine, time, (int) (attempt.millis() / 1_000 - now / 1_000));
            now = attempt.millis();
            Visit visit = answer(room, attempt.shown(), new Asked(attempt, defence.asks, busy));
            if (visit instanceof Visit.Slowed slowed) {
                attempts.add(attempt.after(slowed));
            } else if (visit instanceof Visit.Waiting waiting) {
                taken.add(new Taken(new ShownTokens(List.of(String.valueOf(waiting.token())), List.of()),
                        attempt.person()));
            }
        }
        pass(engine, time, LOBBY);
        List<Taken> first = taken.stream().filter(each -> place(room, each) <= STOCK).toList();
        return first.stream().filter(each -> !each.person()).count() / (double) first.size();
    }

    private static RoomOptions options(Defence defence, ManualTime time) {
        RoomOptions options = RoomOptions.of(new Limits(0, null)).withAddresses(new AddressLimits(
                defence.joins ? new Rate(1, Duration.ofHours(1)) : null, null, null));
        return defence.draw
                ? options.withOpenings(new Openings(List.of(new Opening(time.now().atZone(ZoneOffset.UTC)
                        .plusSeconds(BEFORE + LOBBY), Duration.ofSeconds(LOBBY), null, null).drawn(null)), false))
                : options;
    }

    private static void pass(RoomEngine engine, ManualTime time, int seconds) {
        for (int second = 0; second < seconds; second++) {
            time.advance(Duration.ofSeconds(1));
            engine.step();
        }
    }

    /** The attempts of people and programs, without those after waits. */
    private static List<Attempt> attempts(int addresses, boolean scattered, int seed) {
        Random random = new Random(seed);
        List<Attempt> attempts = new ArrayList<>();
        for (int n = 0; n < PEOPLE; n++) {
            attempts.add(new Attempt(random.nextLong(PEOPLE_WITHIN.toMillis()), "100." + (n / 4 / 256) + "."
                    + (n / 4 % 256) + "." + (n % 4), -1, ShownTokens.NONE));
        }
        for (int n = 0; n < PROGRAMS * addresses; n++) {
            String address = scattered
                    ? (20 + n / 65_536) + "." + (n / 256 % 256) + "." + (n % 256) + ".1"
                    : "20." + (n / addresses) + "." + (n % addresses / 256) + "." + (n % addresses % 256);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                attempts.add(new Attempt(random.nextLong(PROGRAMS_WITHIN.toMillis()), address, n / addresses,
                        ShownTokens.NONE));
            }
        }
        return attempts;
    }

    private static long place(Room room, Taken taken) {
        return answer(room, taken.ticket(), () -> "") instanceof Visit.Waiting waiting
                ? waiting.position().ticket().place()
                : Long.MAX_VALUE;
    }

    private static Visit answer(Room room, ShownTokens shown, Newcomer newcomer) {
        return room.visits().arrive(shown, newcomer, true).stage().toCompletableFuture().join();
    }
}
