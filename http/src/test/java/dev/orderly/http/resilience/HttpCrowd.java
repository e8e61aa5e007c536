package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.room.RoomNode;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.testkit.sim.WaitCrowd;
import dev.orderly.web.browser.Guest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/**
 * A crowd that takes places, asks, enters and leaves over HTTP as it is told, at one gate or several in turn, and
 * compares the first range it is told with the wait it has. The clock of the gates stands still while requests are
 * under way: a minute takes a moment, and what holds does not depend on the speed of the machine.
 */
final class HttpCrowd {
    private static final int TICK = 250;
    private static final int LONGEST = 7_200_000;

    private final WaitCrowd crowd;
    private final int gates;
    private final Random random;
    private final List<RoomNode> nodes = new ArrayList<>();
    private final List<Visitor> visitors = new ArrayList<>();
    /** Admissions in their order. */
    private final List<Entry> entries = new ArrayList<>();
    private int turn;
    private long now;
    private int most;
    private int overtaken;

    private record Entry(long place, long at) {}

    HttpCrowd(WaitCrowd crowd, int gates, long seed) {
        this.crowd = crowd;
        this.gates = gates;
        this.random = new Random(seed);
    }

    /**
     * What came of it.
     *
     * @param waited visitors who waited and entered
     * @param inside the share of those who were told a range whose wait was inside it
     * @param width the median width of the range, as a share of the wait
     * @param raised how often a range ended later than the one before without a reason
     * @param left visitors who stayed and did not enter
     * @param overtaken how often a visitor who asked in time was sent back after a higher place had entered
     * @param most the most visitors inside together
     * @param mostInPeriod the most admissions in a period of the rate
     */
    record Outcome(int waited, double inside, double width, int raised, long left, int overtaken, int most,
            int mostInPeriod) {}

    /** Plays it to the end. */
    Outcome play() {
        TokenLifetimes stay = new TokenLifetimes(Duration.ofSeconds(Math.max(30, 2L * crowd.stay())), null,
                Duration.ofHours(24));
        RoomOptions options = RoomOptions.of(crowd.limits()).withStay(stay).withAddresses(AddressLimits.NONE);
        try {
            nodes.add(new RoomNode(options, random));
            while (nodes.size() < gates) {
                nodes.add(new RoomNode(nodes.getFirst(), random));
            }
            for (int n = 0; n < crowd.visitors(); n++) {
                visitors.add(new Visitor(random.nextDouble() < crowd.noShow(),
                        (long) (random.nextDouble() * crowd.arriving().toMillis())));
            }
            while (visitors.stream().anyMatch(visitor -> !visitor.over) && now < LONGEST) {
                visitors.forEach(Visitor::act);
                now += TICK;
                nodes.getFirst().time.advance(Duration.ofMillis(TICK));
                nodes.forEach(node -> round(node.rooms));
            }
        } finally {
            nodes.reversed().forEach(RoomNode::close);
        }
        return outcome();
    }

    private void round(RoomEngine rooms) {
        if (now % 1_000 == 0) {
            rooms.step();
        } else {
            rooms.callUp();
        }
    }

    private int mostInPeriod() {
        long period = crowd.limits().mostAdmissions().map(rate -> rate.period().toMillis()).orElse(0L);
        return (int) entries.stream().mapToLong(last -> entries.stream()
                .filter(each -> each.at > last.at - period && each.at <= last.at).count()).max().orElse(0);
    }

    private Outcome outcome() {
        List<Visitor> told = visitors.stream().filter(visitor -> visitor.entered >= 0 && visitor.first >= 0).toList();
        List<Double> widths = told.stream().map(visitor -> (visitor.high - visitor.low)
                / (double) Math.max(1_000, visitor.entered - visitor.first)).sorted().toList();
        return new Outcome(told.size(), told.stream().filter(Visitor::kept).count() / (double) Math.max(1, told.size()),
                widths.isEmpty() ? 0 : widths.get(widths.size() / 2),
                visitors.stream().mapToInt(visitor -> visitor.raised).sum(),
                visitors.stream().filter(visitor -> !visitor.over).count(), overtaken, most, mostInPeriod());
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
        private Guest guest;
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
        long place;
        /** The number of admissions when this visitor was told to wait last. */
        int seen = -1;

        Visitor(boolean absent, long arrives) {
            this.guest = new Guest(nodes.getFirst());
            this.absent = absent;
            this.next = arrives;
        }

        void act() {
            if (over || now < next) {
                return;
            }
            guest = guest.at(nodes.get(turn++ % gates));
            if (inside) {
                guest.call("DELETE", "ticket");
                over = true;
                return;
            }
            HttpResponse<String> answer = guest.get("/tickets/");
            if (answer.statusCode() == 200) {
                entered = first >= 0 ? now : -1;
                inside = true;
                entries.add(new Entry(place == 0 ? entries.size() + 1 : place, now));
                most = Math.max(most, (int) visitors.stream().filter(each -> each.inside && !each.over).count());
                next = now + stay();
            } else {
                heard(Guest.json(answer));
                over = absent;
            }
        }

        private void heard(JsonNode told) {
            place = told.path("place").asLong();
            overtaken += seen >= 0 && entries.subList(seen, entries.size()).stream()
                    .anyMatch(entry -> entry.place > place) ? 1 : 0;
            seen = entries.size();
            next = now + told.path("poll").asInt() * 1_000L + random.nextInt(TICK);
            if (told.path("low").isNull()) {
                assertThat(told.path("high").isNull()).as("%s", told).isTrue();
                return;
            }
            assertThat(told.path("low").asLong()).as("%s", told).isBetween(0L, told.path("high").asLong());
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
