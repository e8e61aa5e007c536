package dev.orderly.cluster;

import dev.orderly.VisitorStore;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.redis.RedisStore;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/**
 * A gate with visitors of its own, who arrive over the first seconds, wait, stay, leave and return. It records the
 * moments of each question and answer. Its visitors vanish with it.
 */
final class GateNode {
    static final Limits LIMITS = new Limits(40, new Rate(25, Duration.ofSeconds(2)));
    private static final byte[] SECRET = "the secret of all gates, 32 bytes or more".getBytes(StandardCharsets.UTF_8);
    private static final RoomOptions OPTIONS = RoomOptions.of(LIMITS)
            .withStay(new TokenLifetimes(Duration.ofSeconds(10), null, Duration.ofHours(24)))
            .withPoll(new PollPolicy(Duration.ofSeconds(1), Duration.ofSeconds(2))).withAddresses(AddressLimits.NONE);
    private static final int COME_OVER_MILLIS = 6_000;

    private final NodeLog log;
    private final Time time = Time.system();
    private final Room room;
    /** The store's clock minus the monotonic clock. */
    private final long ahead;

    private GateNode(NodeLog log, Room room, Instant now) {
        this.log = log;
        this.room = room;
        this.ahead = nanosOf(now) - time.nanos();
    }

    /** @param args log, URL of the store, number of visitors, seed */
    public static void main(String[] args) throws IOException {
        VisitorStore store = args[1].startsWith("redis") ? RedisStore.at(args[1]) : PostgresStore.at(args[1]);
        Time clock = store.clock(Time.system());
        RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(SECRET))),
                new GateId(Path.of(args[0]).getFileName().toString()), clock, new SecureRandom());
        Room room = rooms.declare(new RoomName("sale"), OPTIONS, RoomSignals.none());
        rooms.start();
        NodeLog log = new NodeLog(Path.of(args[0]));
        GateNode gate = new GateNode(log, room, clock.now());
        Random random = new Random(Long.parseLong(args[3]));
        for (int n = 0; n < Integer.parseInt(args[2]); n++) {
            long seed = random.nextLong();
            Thread.ofVirtual().name("visitor").start(() -> gate.new Visitor(new Random(seed)).live());
        }
        log.write("ready", Time.system().nanos());
        NodeLog.awaitParent();
    }

    private static long nanosOf(Instant moment) {
        return moment.getEpochSecond() * 1_000_000_000L + moment.getNano();
    }

    /** One visitor after the other, as the same browser. */
    private final class Visitor {
        private final Random random;
        private ShownTokens shown = ShownTokens.NONE;

        Visitor(Random random) {
            this.random = random;
        }

        void live() {
            pause(random.nextInt(COME_OVER_MILLIS));
            while (!Thread.currentThread().isInterrupted()) {
                long asked = time.nanos();
                Visit visit = ask();
                while (visit instanceof Visit.Waiting(var standing, var token, var taken)) {
                    if (token != null) {
                        shown = new ShownTokens(List.of(token), List.of());
                    }
                    log.write(taken ? "join" : "wait", asked, time.nanos(), standing.ticket().visitor(),
                            standing.ticket().place(), standing.poll().toMillis());
                    boolean away = random.nextInt(20) == 0;
                    pause(away ? 6_000 : standing.poll().toMillis());
                    asked = time.nanos();
                    visit = ask();
                }
                if (visit instanceof Visit.Admitted admitted) {
                    stay(admitted, asked);
                } else {
                    log.write("other", asked, time.nanos(), visit.getClass().getSimpleName());
                    pause(500);
                }
                shown = ShownTokens.NONE;
            }
        }

        /** Most visitors leave soon, some stay longer than a pass lasts, some vanish. */
        private void stay(Visit.Admitted admitted, long asked) {
            note(admitted.ticketToken() == null ? "enter" : "walk-in", admitted.pass(), asked);
            String token = admitted.token();
            if (token == null) {
                throw new AssertionError("A visitor without a pass was admitted without one: " + admitted);
            }
            shown = new ShownTokens(List.of(), List.of(token));
            int kind = random.nextInt(20);
            pause(1_000 + random.nextInt(3_000));
            for (int visits = 0; kind == 0 && visits < 5; visits++) {
                long again = time.nanos();
                if (!(ask() instanceof Visit.Admitted still)) {
                    throw new AssertionError("A pass that was shown every two seconds did not last");
                }
                note("renew", still.pass(), again);
                shown = still.token() == null ? shown : new ShownTokens(List.of(), List.of(still.token()));
                pause(2_000);
            }
            if (kind > 2) {
                long leaves = time.nanos();
                boolean left = room.visits().leave(shown).toCompletableFuture().join();
                log.write(left ? "leave" : "vanish", leaves, time.nanos(), admitted.pass().visitor());
            }
        }

        private void note(String word, Pass pass, long asked) {
            log.write(word, asked, time.nanos(), pass.visitor(), pass.place(), nanosOf(pass.expiresAt()) - ahead);
        }

        private Visit ask() {
            return room.visits().arrive(shown, () -> "127.0.0.1", true).stage().toCompletableFuture().join();
        }

        private void pause(long millis) {
            long deadline = time.deadline(Duration.ofMillis(millis));
            while (!time.reached(deadline)) {
                time.park(deadline);
            }
        }
    }
}
