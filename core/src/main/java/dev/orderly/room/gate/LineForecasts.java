package dev.orderly.room.gate;

import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.Tiers;
import dev.orderly.room.forecast.Forecaster;
import dev.orderly.room.forecast.OtherLines;
import dev.orderly.room.store.StoredLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The forecasts of the lines of a room. States and forecasts come from one thread; read by any. */
final class LineForecasts {
    private final RoomOptions options;
    private volatile List<Forecaster> lines;

    LineForecasts(RoomState first, RoomOptions options) {
        this.options = options;
        this.lines = List.of(new Forecaster(first.seenFrom(0), options));
        update(first);
    }

    Forecaster first() {
        return lines.getFirst();
    }

    /** That of the line of a place; of the first line, as long as the other is not known. */
    Forecaster of(long place) {
        List<Forecaster> known = lines;
        return Tiers.line(place) < known.size() ? known.get(Tiers.line(place)) : known.getFirst();
    }

    void update(RoomState state) {
        int number = state.tiers().size() + 1;
        if (lines.size() != number) {
            List<Forecaster> more = new ArrayList<>(lines.subList(0, Math.min(number, lines.size())));
            for (int line = more.size(); line < number; line++) {
                more.add(new Forecaster(state.seenFrom(Tiers.start(line)), options));
            }
            lines = List.copyOf(more);
        }
        for (int line = 0; line < number; line++) {
            lines.get(line).update(state.seenFrom(Tiers.start(line)));
        }
    }

    /** Makes the forecast of a round for each line, by number. */
    List<Forecaster.Round> forecast(RoomState state, LocalPresence presence, Instant now) {
        List<Forecaster.Round> rounds = new ArrayList<>();
        for (int line = 0; line < lines.size(); line++) {
            long start = Tiers.start(line);
            rounds.add(lines.get(line).forecast(state.seenFrom(start), presence.of(state.epoch(), start),
                    others(state, line), now));
        }
        return rounds;
    }

    private OtherLines others(RoomState state, int own) {
        if (state.tiers().isEmpty()) {
            return OtherLines.NONE;
        }
        return new OtherLines(share(state, own), turn(state, own),
                IntStream.range(0, lines.size()).filter(line -> line != own)
                        .mapToObj(line -> lines.get(line).asOther(state.seenFrom(Tiers.start(line)), share(state, line),
                                turn(state, line)))
                        .toList());
    }

    private static double turn(RoomState state, int line) {
        return line == 0 ? 0 : state.tiers().get(line - 1).turn() / (double) StoredLine.TURN;
    }

    private int share(RoomState state, int line) {
        return line == 0 ? options.tiers().rest() : state.tiers().get(line - 1).share();
    }
}
