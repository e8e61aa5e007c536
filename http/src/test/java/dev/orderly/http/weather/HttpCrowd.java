package dev.orderly.http.weather;

import dev.orderly.http.room.Guest;
import dev.orderly.http.room.RoomNode;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.testkit.sim.WaitCrowd;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/**
 * A crowd that takes places, asks, enters and leaves over HTTP as it is told, and compares the first range it is told
 * with the wait it has. The clock of the gateway stands still while requests are under way, so a minute takes a moment.
 */
final class HttpCrowd {
    private static final int TICK = 250;
    private static final int LONGEST = 7_200_000;

    private final WaitCrowd crowd;
    private final Random random;
    private final List<Visitor> visitors = new ArrayList<>();
    private long now;

    HttpCrowd(WaitCrowd crowd, long seed) {
        this.crowd = crowd;
        this.random = new Random(seed);
    }

    /**
     * What came of it.
     *
     * @param waited visitors who waited and entered
     * @param inside the share of those who were told a range whose wait was inside it
     * @param width the median width of the range, as a share of the wait
     * @param raised how often a range ended later than the one before without a reason
     */
    record Outcome(int waited, double inside, double width, int raised) {}

    /** Plays it to the end. */
    Outcome play() {
        TokenLifetimes stay = new TokenLifetimes(Duration.ofSeconds(Math.max(30, 2L * crowd.stay())), null,
                Duration.ofHours(24));
        RoomOptions options = RoomOptions.of(crowd.limits()).withStay(stay).withAddresses(AddressLimits.NONE);
        try (RoomNode node = new RoomNode(options, random)) {
            for (int n = 0; n < crowd.visitors(); n++) {
                visitors.add(new Visitor(node, random.nextDouble() < crowd.noShow(),
                        (long) (random.nextDouble() * crowd.arriving().toMillis())));
            }
            while (visitors.stream().anyMatch(visitor -> !visitor.over) && now < LONGEST) {
                visitors.forEach(Visitor::act);
                now += TICK;
                node.time.advance(Duration.ofMillis(TICK));
                if (now % 1_000 == 0) {
                    node.rooms.step();
                } else {
                    node.rooms.callUp();
                }
            }
        }
        return outcome();
    }

    private Outcome outcome() {
        List<Visitor> told = visitors.stream().filter(visitor -> visitor.entered >= 0 && visitor.first >= 0).toList();
        List<Double> widths = told.stream().map(visitor -> (visitor.high - visitor.low)
                / (double) Math.max(1_000, visitor.entered - visitor.first)).sorted().toList();
        return new Outcome(told.size(), told.stream().filter(Visitor::kept).count() / (double) Math.max(1, told.size()),
                widths.isEmpty() ? 0 : widths.get(widths.size() / 2),
                visitors.stream().mapToInt(visitor -> visitor.raised).sum());
    }

    private long stay() {
        double mean = crowd.stay() * 1_000.0;
        return (long) switch (crowd.staying()) {
            case FIXED -> mean;
            case EVEN -> mean * (0.5 + random.nextDouble());
            case EXPONENTIAL -> -Math.log(1 - random.nextDouble()) * mean;
        };
    }

    private final class Visitor {
        final Guest guest;
        final boolean absent;
        long next;
        boolean over;
        boolean inside;
        long first = -1;
        long low;
        long high;
        long latest;
        long entered = -1;
        int raised;

        Visitor(RoomNode node, boolean absent, long arrives) {
            this.guest = new Guest(node);
            this.absent = absent;
            this.next = arrives;
        }

        void act() {
            if (over || now < next) {
                return;
            }
            if (inside) {
                guest.call("DELETE", "ticket");
                over = true;
                return;
            }
            HttpResponse<String> answer = guest.get("/tickets/");
            if (answer.statusCode() == 200) {
                entered = first >= 0 ? now : -1;
                inside = true;
                next = now + stay();
            } else {
                heard(Guest.json(answer));
                over = absent;
            }
        }

        private void heard(JsonNode told) {
            next = now + told.path("poll").asInt() * 1_000L + random.nextInt(TICK);
            if (told.path("low").isNull()) {
                return;
            }
            long end = now + told.path("high").asLong() * 1_000;
            if (first < 0) {
                first = now;
                low = told.path("low").asLong() * 1_000;
                high = told.path("high").asLong() * 1_000;
            } else if (end > latest + 1_000 && !told.path("cause").asString().startsWith("slower")) {
                raised++;
            }
            latest = end;
        }

        boolean kept() {
            long wait = entered - first;
            return wait >= low - 1_000 && wait <= high + 1_000;
        }
    }
}
