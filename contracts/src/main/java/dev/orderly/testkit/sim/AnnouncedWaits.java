package dev.orderly.testkit.sim;

import dev.orderly.room.Tiers;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.gate.LinePosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares forecasts of waits with the real waits. Milliseconds since the start. */
final class AnnouncedWaits {
    /** A forecast is in whole seconds, and a called visitor polls once a second. */
    private static final long ROUNDING = 1_000;
    private static final int NAMED = 8;

    private final Agenda agenda;
    private final Map<Integer, AnnouncedWait> waiting = new HashMap<>();
    private final List<AnnouncedWait> done = new ArrayList<>();
    private int raised;
    private int reasoned;
    private int pushedBack;

    private static final class AnnouncedWait {
        final int number;
        final int line;
        final long since;
        long first = -1;
        long low;
        long high;
        /** The latest predicted time of admission. */
        long latest = Long.MAX_VALUE;
        long ahead = Long.MAX_VALUE;
        long entered;
        String how = "";

        AnnouncedWait(int number, int line, long since) {
            this.number = number;
            this.line = line;
            this.since = since;
        }

        boolean kept() {
            long waited = entered - first;
            return first >= 0 && waited >= low - ROUNDING && waited <= high + ROUNDING;
        }
    }

    AnnouncedWaits(Agenda agenda) {
        this.agenda = agenda;
    }

    void announced(int number, LinePosition standing) {
        AnnouncedWait wait = waiting.computeIfAbsent(number,
                _ -> new AnnouncedWait(number, Tiers.line(standing.ticket().place()), agenda.now()));
        WaitEstimate estimate = standing.estimate();
        Duration low = estimate.low();
        Duration high = estimate.high();
        boolean explained = explains(estimate.cause());
        pushedBack += standing.ahead().number() > wait.ahead && !explained ? 1 : 0;
        // The number in a lobby is not shown: a draw is to change it.
        wait.ahead = standing.opening() == null ? standing.ahead().number() : Long.MAX_VALUE;
        if (low == null || high == null) {
            if (wait.first >= 0 && wait.latest != Long.MAX_VALUE) {
                count(explained);
                wait.latest = Long.MAX_VALUE;
            }
            return;
        }
        if (wait.first < 0) {
            wait.first = agenda.now();
            wait.low = low.toMillis();
            wait.high = high.toMillis();
            wait.how = estimate + ", " + standing.ahead().number() + " ahead" + (standing.called() ? ", called" : "");
        }
        long end = agenda.now() + high.toMillis();
        if (wait.latest != Long.MAX_VALUE && end > wait.latest + ROUNDING) {
            count(explained);
        }
        wait.latest = end;
    }

    private void count(boolean explained) {
        raised += explained ? 0 : 1;
        reasoned += explained ? 1 : 0;
    }

    private static boolean explains(WaitEstimate.Cause cause) {
        return cause == WaitEstimate.Cause.HELD || cause.name().startsWith("SLOWER")
                || cause.name().startsWith("STORE");
    }

    void entered(int number) {
        AnnouncedWait wait = waiting.remove(number);
        if (wait != null) {
            wait.entered = agenda.now();
            done.add(wait);
        }
    }

    Waits report() {
        List<AnnouncedWait> said = done.stream().filter(wait -> wait.first >= 0).toList();
        long kept = said.stream().filter(AnnouncedWait::kept).count();
        double width = median(said.stream().map(wait -> (wait.high - wait.low) / (double) Math.max(1_000,
                wait.entered - wait.first)).toList());
        double unknown = median(said.stream().map(wait -> (wait.first - wait.since) / (double) Math.max(1,
                wait.entered - wait.since)).toList());
        return new Waits(done.size(), said.isEmpty() ? 1 : kept / (double) said.size(),
                done.isEmpty() ? 0 : 1 - said.size() / (double) done.size(), width, unknown, raised, reasoned,
                pushedBack, misses(said), said.stream().collect(Collectors.groupingBy(wait -> wait.line,
                        Collectors.averagingInt(wait -> wait.kept() ? 1 : 0))));
    }

    private static List<String> misses(List<AnnouncedWait> said) {
        return said.stream().filter(wait -> !wait.kept()).limit(NAMED).map(wait -> "at " + wait.first + " visitor "
                + wait.number + " was told " + wait.how + ": waited " + (wait.entered - wait.first) + " ms").toList();
    }

    private static double median(List<Double> values) {
        @Nullable
        Double middle = values.isEmpty() ? null : values.stream().sorted().toList().get(values.size() / 2);
        return middle == null ? 0 : middle;
    }
}
