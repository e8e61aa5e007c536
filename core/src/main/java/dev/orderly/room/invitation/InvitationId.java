package dev.orderly.room.invitation;

import dev.orderly.room.VisitorId;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * An invitation of a series. A store keeps what became of it under a visitor id of its own, which no visitor has:
 * random ids have no such form.
 *
 * @param series 48 random bits, those of one call that issued invitations
 * @param number in the series, from 1
 */
public record InvitationId(long series, int number) {
    /** Most invitations of a series. */
    public static final int MOST = 10_000;

    private static final int SERIES_BITS = 48;
    private static final int FIRST_SHIFT = SERIES_BITS - 6;
    /** The number of '-' in Base64 for addresses. */
    private static final int MINUS = 62;
    private static final Pattern SERIES = Pattern.compile("[0-9a-f]{12}");

    /** @throws IllegalArgumentException if a number is out of its bounds */
    public InvitationId {
        if (series >>> SERIES_BITS != 0 || number < 1 || number > MOST) {
            throw new IllegalArgumentException("Invitation " + number + " of series " + series + ": use 1 to " + MOST
                    + " of a series of " + SERIES_BITS + " bits");
        }
    }

    /**
     * The series made of the bits of a random number. None lets its codes begin with '-', by which spreadsheets take a
     * text for a formula: the first six bits are the first character.
     */
    public static long series(long random) {
        long series = random >>> (Long.SIZE - SERIES_BITS);
        return series >>> FIRST_SHIFT == MINUS ? series ^ 1L << FIRST_SHIFT : series;
    }

    /** The series as people read it: 12 hexadecimal digits. */
    public static String text(long series) {
        return String.format("%012x", series);
    }

    /** The series of such a text; empty for any other. */
    public static OptionalLong parse(String text) {
        Objects.requireNonNull(text, "text");
        return SERIES.matcher(text).matches() ? OptionalLong.of(Long.parseLong(text, 16)) : OptionalLong.empty();
    }

    /** The id under which a store keeps the use of this invitation. */
    public VisitorId use() {
        return new VisitorId(series, number);
    }

    /** The id under which a store keeps that a series was revoked. */
    public static VisitorId revocation(long series) {
        return new VisitorId(series, 0);
    }

    /** The id of the invitation whose use a store keeps under an id; empty for any other id. */
    public static Optional<InvitationId> of(VisitorId use) {
        Objects.requireNonNull(use, "use");
        return use.high() >>> SERIES_BITS == 0 && use.low() >= 1 && use.low() <= MOST
                ? Optional.of(new InvitationId(use.high(), (int) use.low()))
                : Optional.empty();
    }
}
