package dev.orderly.room.forecast;

import dev.orderly.room.forecast.Forecast.Ahead;
import dev.orderly.room.forecast.Forecast.Wait;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The other lines of a room with tiers: how many of their visitors go before a visitor of this line.
 *
 * @param share of this line
 * @param turn of this line: each admission adds one, divided by the share
 */
public record OtherLines(int share, double turn, List<Other> lines) {
    /** The line is the only one. */
    public static final OtherLines NONE = new OtherLines(100, 0, List.of());

    private static final int ROUNDS = 8;
    /** A line whose visitors wait admits one in this many seconds, if there are that many admissions. */
    private static final double PATIENCE = 60;
    /** Visitors are expected to come as they did lately for so many seconds. */
    private static final double LASTING = 120;

    /**
     * A line.
     *
     * @param present visitors who wait
     * @param arrivals of visitors, per second
     */
    public record Other(int share, double turn, double present, double arrivals) {}

    public OtherLines {
        Objects.requireNonNull(lines, "lines");
        lines = List.copyOf(lines);
    }

    /** The wait behind visitors of this line, with those of the others who go before. */
    Optional<Wait> wait(Ahead own, Function<Ahead, Optional<Wait>> forecast) {
        Optional<Wait> alone = forecast.apply(own);
        if (lines.isEmpty() || alone.isEmpty()) {
            return alone;
        }
        Optional<Wait> wait = forecast.apply(with(own, LASTING));
        for (int round = 0; round < ROUNDS && wait.isPresent(); round++) {
            wait = forecast.apply(with(own, wait.get().seconds()));
        }
        double longest = Math.max(PATIENCE * (own.present() + 1), alone.get().seconds() * busy());
        return wait.map(known -> new Wait(Math.min(known.seconds(), longest), known.doubt(), known.chance()));
    }

    /** The lines whose visitors wait: where admissions are rarer than a minute, these take turns. */
    private long busy() {
        return 1 + lines.stream().filter(other -> other.present + other.arrivals > 0).count();
    }

    private Ahead with(Ahead own, double seconds) {
        double before = own.present();
        for (Other other : lines) {
            double turns = Math.max((turn + own.present() / share - other.turn) * other.share + 0.5,
                    seconds / PATIENCE);
            before += Math.min(other.present + other.arrivals * Math.min(seconds, LASTING), turns);
        }
        return new Ahead(before, own.doubt() * (before + 1) / (own.present() + 1), own.fading());
    }
}
