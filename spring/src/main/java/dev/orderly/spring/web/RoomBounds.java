package dev.orderly.spring.web;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.spring.config.RoomProperties.Room;
import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** The settings of a room whose values are texts in the form of the server's configuration. */
final class RoomBounds {
    private static final Pattern RATE = Pattern.compile("([1-9][0-9]{0,6}) per ([0-9]{1,9}[a-z]{1,2})");
    private static final Pattern SPAN = Pattern.compile("([0-9]{1,9}[a-z]{1,2})-([0-9]{1,9}[a-z]{1,2})");
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,4}");
    private static final int MOST = 10_000;
    private static final String NONE = "none";

    private RoomBounds() {}

    /** @throws IllegalArgumentException naming the setting that breaks its rule */
    static PollPolicy poll(Room room) {
        return read("poll", room.poll(), "the least and the most, 1s to 5m, such as 2s-30s", text -> {
            Matcher span = matcher(SPAN, text);
            return new PollPolicy(duration(span.group(1)), duration(span.group(2)));
        });
    }

    /** @throws IllegalArgumentException naming the setting that breaks its rule */
    static AddressLimits addresses(Room room) {
        Rate joins = orNone("joins-per-address", room.joinsPerAddress(), "a number of places and a time of 1s to 1h,"
                + " such as 100 per 1m", text -> {
                    Matcher rate = matcher(RATE, text);
                    return new Rate(Integer.parseInt(rate.group(1)), duration(rate.group(2)));
                });
        return new AddressLimits(joins, number("untaken-per-address", room.untakenPerAddress()),
                number("addresses-per-pass", room.addressesPerPass()));
    }

    private static @Nullable Integer number(String name, String value) {
        return orNone(name, value, "a whole number, 1 to " + MOST, text -> {
            int number = Integer.parseInt(matcher(NUMBER, text).group());
            if (number > MOST) {
                throw new IllegalArgumentException();
            }
            return number;
        });
    }

    private static <T> @Nullable T orNone(String name, String value, String rule, Function<String, T> reader) {
        return value.equals(NONE) ? null : read(name, value, rule + ", or " + NONE, reader);
    }

    private static <T> T read(String name, String value, String rule, Function<String, T> reader) {
        try {
            return reader.apply(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " is \"" + value + "\": use " + rule, e);
        }
    }

    private static Matcher matcher(Pattern form, String text) {
        Matcher matcher = form.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        return matcher;
    }

    private static Duration duration(String text) {
        return DurationStyle.SIMPLE.parse(text);
    }
}
