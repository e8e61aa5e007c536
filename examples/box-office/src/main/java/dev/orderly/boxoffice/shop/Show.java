package dev.orderly.boxoffice.shop;

import java.math.BigDecimal;
import java.text.NumberFormat;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;

/**
 * One show on sale.
 *
 * @param id id in addresses and orders
 * @param cents price of a ticket
 */
public record Show(String id, String title, String about, String venue, LocalDate date, long cents, int seats) {
    /** The most tickets of one order. */
    public static final int TICKETS_MAX = 6;

    /** The show of the simulated crowd. */
    public static final String RUSH = "harbour";

    /** The shows in the weeks after {@code today}. */
    public static List<Show> season(LocalDate today) {
        return List.of(
                new Show(RUSH, "Midsummer at the Harbour", "Four bands, one pier, until the sun is up again.",
                        "Harbour Stage", today.plusDays(12), 29_00, 12_000),
                new Show("lanterns", "Lanterns and Strings", "A string quartet in a hall lit by two hundred lanterns.",
                        "Lantern Hall", today.plusDays(19), 42_00, 240),
                new Show("tin", "The Tin Orchestra", "Eleven players, forty instruments made of scrap.",
                        "Old Tram Depot", today.plusDays(26), 24_50, 600),
                new Show("piano", "Night Piano", "One piano under the open dome. Thirty-six chairs, no more.",
                        "The Observatory", today.plusDays(33), 55_00, 36));
    }

    /** An amount in the shop's notation. */
    public static String euros(long cents) {
        NumberFormat euros = NumberFormat.getCurrencyInstance(Locale.of("en", "IE"));
        return euros.format(BigDecimal.valueOf(cents, 2));
    }
}
