package dev.orderly.fuzz;

import dev.orderly.config.schema.UnitText;
import dev.orderly.http.intake.DelayText;
import dev.orderly.job.JobId;
import dev.orderly.job.KeyRule;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.Opening;
import dev.orderly.schedule.Timing;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** A short text, read as each kind that operators and programs write. */
final class TextInput {
    private static final Instant NOW = Instant.parse("2026-03-28T12:00:00Z");
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    private TextInput() {}

    static void run(byte[] input) throws Exception {
        String text = new String(input, StandardCharsets.UTF_8);
        timing(text);
        Refusal.orValue(() -> DelayText.parse(text)).ifPresent(delay -> {
            if (delay.isNegative()) {
                throw new AssertionError("A delay of " + delay);
            }
        });
        UnitText.duration(text).ifPresent(duration -> {
            if (!UnitText.duration(UnitText.text(duration)).equals(Optional.of(duration))) {
                throw new AssertionError(UnitText.text(duration) + " is not " + duration);
            }
        });
        UnitText.share(text);
        Refusal.orValue(() -> Opening.parseTime(text));
        Refusal.orValue(() -> LimitTimetable.From.parse(text));
        Refusal.orValue(() -> JobId.parse(text)).ifPresent(id -> {
            if (!JobId.parse(id.toString()).equals(id)) {
                throw new AssertionError("Another id again: " + id);
            }
        });
        Refusal.orValue(() -> KeyRule.parse(text));
    }

    private static void timing(String text) throws Exception {
        Optional<Timing> timing = Refusal.orValue(() -> Timing.parse(text, ZONE));
        if (timing.isEmpty()) {
            return;
        }
        Timing known = timing.get();
        if (!Timing.parse(known.text(), ZONE).equals(known)) {
            throw new AssertionError("Not the same again: " + known.text());
        }
        Optional<Instant> next = known.next(NOW);
        if (next.isPresent() && !next.get().isAfter(NOW)) {
            throw new AssertionError(known.text() + " comes at " + next.get() + ", which is not after " + NOW);
        }
        if (next.isPresent() && known.latest(NOW, next.get()).filter(next.get()::equals).isEmpty()) {
            throw new AssertionError(known.text() + " comes next at " + next.get() + ", and last at "
                    + known.latest(NOW, next.get()));
        }
    }
}
