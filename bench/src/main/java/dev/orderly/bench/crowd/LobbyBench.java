package dev.orderly.bench.crowd;

import dev.orderly.Store;
import dev.orderly.bench.measure.Database;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.gate.Reply;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Visitors who take places at one gate, without HTTP: in a line, as users with one place each, in lobbies with and
 * without a draw. Of a lobby also the time from its opening until every two-hundredth visitor, who asks again, knows a
 * place, and until one of them is inside.
 */
public final class LobbyBench {
    private static final int CALLERS = 256;
    private static final int CAPACITY = 1_000;
    private static final int ASKING = 200;
    private static final Duration LOBBY = Duration.ofHours(1);
    private static final RoomName NAME = new RoomName("sale");
    private static final Tiers TIERS = new Tiers(List.of(new Tiers.Tier("members", "tier=gold", 20)));

    private final PrintStream out;
    private final Path folder;
    private final int visitors;
    private final Duration opensIn;
    private final Time time = Time.system();
    private final AtomicInteger files = new AtomicInteger();

    /**
     * @param visitors of each run
     * @param opensIn the time that they have to take their places in a lobby
     */
    public LobbyBench(PrintStream out, Path folder, int visitors, Duration opensIn) {
        this.out = out;
        this.folder = folder;
        this.visitors = visitors;
        this.opensIn = opensIn;
    }

    /** Opens a store that is empty. */
    @FunctionalInterface
    private interface Fresh {
        Store open() throws Exception;
    }

    /**
     * @param rate places a second
     * @param known from the opening until all who ask know their places; null of a line
     * @param inside from the opening until one of them is inside; null of a line
     */
    private record Outcome(double rate, @Nullable Duration known, @Nullable Duration inside) {}

    public void run() throws Exception {
        out.printf(Locale.ROOT, "%n%d visitors of %d callers, %d inside%n%n", visitors, CALLERS, CAPACITY);
        out.println("| store | room | places a second | to the line | places known | first inside |");
        out.println("|---|---|---|---|---|---|");
        run("SQLite", () -> SqliteStore.at(folder.resolve("lobby" + files.incrementAndGet() + ".db")));
        try (Database database = Database.start(folder)) {
            run("PostgreSQL", database::fresh);
        }
    }

    private void run(String store, Fresh fresh) throws Exception {
        RoomOptions line = RoomOptions.of(new Limits(1, null)).withAddresses(AddressLimits.NONE);
        play(fresh, line); // warms up
        Outcome reference = play(fresh, line);
        row(store, "a line", reference, reference);
        row(store, "a line, one place a user", play(fresh, line.withOnePerUser(true)), reference);
        RoomOptions sale = line.withLimits(new Limits(CAPACITY, null));
        row(store, "a lobby", play(fresh, lobby(sale, false)), reference);
        row(store, "a lobby with a draw", play(fresh, lobby(sale, true)), reference);
        row(store, "a draw in two tiers", play(fresh, lobby(sale.withTiers(TIERS), true)), reference);
    }

    private void row(String store, String room, Outcome outcome, Outcome reference) {
        out.printf(Locale.ROOT, "| %s | %s | %,.0f | %.2f | %s | %s |%n", store, room, outcome.rate,
                outcome.rate / reference.rate, seconds(outcome.known), seconds(outcome.inside));
    }

    private static String seconds(@Nullable Duration duration) {
        return duration == null ? "" : String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1_000.0);
    }

    private RoomOptions lobby(RoomOptions options, boolean draw) {
        Opening opening = new Opening(time.now().plus(opensIn).atZone(ZoneOffset.UTC), LOBBY, null, null);
        return options.withOpenings(new Openings(List.of(draw ? opening.drawn(null) : opening), false));
    }

    private Outcome play(Fresh fresh, RoomOptions options) throws Exception {
        try (Store store = fresh.open();
                RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
                        new GateId("bench"), time, new SecureRandom())) {
            Room room = rooms.declare(NAME, options, RoomSignals.none());
            rooms.start();
            while (answer(room.visits().arrive(ShownTokens.NONE, () -> "", true)) instanceof Visit.TurnedAway) {
                Thread.sleep(Duration.ofMillis(50)); // a lobby begins when its draw is committed to
            }
            ConcurrentLinkedQueue<ShownTokens> asking = new ConcurrentLinkedQueue<>();
            AtomicInteger number = new AtomicInteger();
            long began = time.nanos();
            List<Thread> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                callers.add(Thread.ofVirtual().start(() -> {
                    for (int n = number.incrementAndGet(); n <= visitors; n = number.incrementAndGet()) {
                        ShownTokens ticket = join(room, n);
                        if (n % ASKING == 0) {
                            asking.add(ticket);
                        }
                    }
                }));
            }
            for (Thread caller : callers) {
                caller.join();
            }
            double rate = visitors * 1e9 / (time.nanos() - began);
            return options.openings().equals(Openings.NONE)
                    ? new Outcome(rate, null, null)
                    : opened(room, options.openings().windows().getFirst(), List.copyOf(asking), rate);
        }
    }

    private Outcome opened(Room room, Opening opening, List<ShownTokens> asking, double rate)
            throws InterruptedException {
        Instant opens = opening.opens().toInstant();
        if (time.now().isAfter(opens)) {
            throw new IllegalStateException("The visitors were not done when the lobby opened: use opens-in= with a"
                    + " longer time, or fewer visitors");
        }
        Thread.sleep(Duration.between(time.now(), opens));
        Duration inside = null;
        for (;;) {
            boolean known = true;
            for (ShownTokens ticket : asking) {
                switch (answer(room.visits().arrive(ticket, () -> "", false))) {
                    case Visit.Admitted _ -> inside = inside == null ? Duration.between(opens, time.now()) : inside;
                    case Visit.Waiting waiting ->
                        known &= !opening.draw() || waiting.position().ticket().isDrawn();
                    default -> known = false;
                }
            }
            if (known && inside != null) {
                return new Outcome(rate, Duration.between(opens, time.now()), inside);
            }
            Thread.sleep(Duration.ofMillis(50));
        }
    }

    /** The ticket of a new visitor, who is a user of this number; each second one is a member. */
    private static ShownTokens join(Room room, int number) {
        Visit visit = answer(room.visits().arrive(ShownTokens.NONE, new Newcomer() {
            @Override
            public String address() {
                return "";
            }

            @Override
            public Supplier<Optional<String>> signIn() {
                return () -> Optional.of("user-" + number);
            }

            @Override
            public Supplier<Optional<String>> tier(Tiers tiers) {
                return () -> number % 2 == 0 ? Optional.of("members") : Optional.empty();
            }
        }, true));
        return switch (visit) {
            case Visit.Waiting waiting -> new ShownTokens(List.of(Objects.requireNonNull(waiting.token())), List.of());
            case Visit.Admitted _ -> ShownTokens.NONE;
            default -> throw new IllegalStateException("A visitor got no place: " + visit);
        };
    }

    private static Visit answer(Reply<Visit> reply) {
        return reply.stage().toCompletableFuture().join();
    }
}
