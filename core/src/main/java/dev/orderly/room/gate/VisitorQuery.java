package dev.orderly.room.gate;

import dev.orderly.room.VisitorId;
import java.util.Objects;

/** What an operator knows of a visitor. */
public sealed interface VisitorQuery {
    /** The value of the visitor's cookie, a secret. */
    record ByTicket(String text) implements VisitorQuery {
        public ByTicket {
            Objects.requireNonNull(text, "text");
        }
    }

    /** The id that the site gets with each request. */
    record ById(VisitorId visitor) implements VisitorQuery {
        public ById {
            Objects.requireNonNull(visitor, "visitor");
        }
    }

    /** The ticket number that the waiting page shows: a place in the present line. */
    record ByPlace(long place) implements VisitorQuery {
        /** @throws IllegalArgumentException if it is not positive */
        public ByPlace {
            if (place < 1) {
                throw new IllegalArgumentException("A ticket number is " + place + ": numbers begin with 1");
            }
        }
    }

    /** The ticket number of a visitor in the line of a tier. */
    record ByTier(String tier, long number) implements VisitorQuery {
        /** @throws IllegalArgumentException if the number is not positive */
        public ByTier {
            Objects.requireNonNull(tier, "tier");
            if (number < 1) {
                throw new IllegalArgumentException("A ticket number is " + number + ": numbers begin with 1");
            }
        }
    }

    /** The most digits of a place. */
    int DIGITS_MAX = 18;

    /**
     * A text that an operator entered: an id, a ticket number with or without separators of thousands, in the digits of
     * any language, with the name of a tier and a blank before it if it is of that line, or a ticket.
     */
    static VisitorQuery parse(String text) {
        Objects.requireNonNull(text, "text");
        String entered = text.strip();
        long place = place(entered);
        int blank = entered.indexOf(' ');
        long ofTier = blank > 0 ? place(entered.substring(blank)) : 0;
        if (place == 0 && ofTier > 0) {
            return new ByTier(entered.substring(0, blank), ofTier);
        }
        return place > 0
                ? new ByPlace(place)
                : VisitorId.parse(entered).<VisitorQuery>map(ById::new).orElseGet(() -> new ByTicket(entered));
    }

    /** The number that a text shows; 0 if it is none. */
    private static long place(String text) {
        long place = 0;
        int digits = 0;
        for (int c : text.codePoints().toArray()) {
            int digit = Character.digit(c, 10);
            if (digit >= 0) {
                place = place * 10 + digit;
                digits++;
            } else if (",.'’ \u00a0\u202f\u066c#".indexOf(c) < 0) {
                return 0;
            }
            if (digits > DIGITS_MAX) {
                return 0;
            }
        }
        return place;
    }
}
