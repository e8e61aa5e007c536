package dev.orderly.boxoffice.shop;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A buyer's request, and the payload of a checkout job. It holds everything that the job needs, so the job can also run
 * after a restart. Jackson reads it from JSON and from form fields.
 *
 * @param order number that identifies a repeated order
 * @param card null for any
 */
public record Checkout(String order, String show, int tickets, String name, String mail, @Nullable Card card) {
    private static final Pattern ORDER = Pattern.compile("[A-Za-z0-9-]{4,40}");
    private static final Pattern MAIL = Pattern.compile(
            "[^@\\s\\p{Cntrl}]{1,64}@[^@\\s\\p{Cntrl}]{1,100}\\.[a-z]{2,20}",
            Pattern.CASE_INSENSITIVE);
    private static final int NAME_MAX = 80;

    /**
     * A payload that breaks a rule does not reach the handler: the job is a dead letter with the reason.
     *
     * @throws IllegalArgumentException naming every broken rule
     */
    public Checkout {
        Map<String, String> problems = problems(order, tickets, name, mail);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join(" ", problems.values()));
        }
    }

    /** The problems of these values: field to sentence, in the order of the form. Empty if all are valid. */
    public static Map<String, String> problems(@Nullable String order, int tickets, @Nullable String name,
            @Nullable String mail) {
        Map<String, String> problems = new LinkedHashMap<>();
        if (tickets < 1 || tickets > Show.TICKETS_MAX) {
            problems.put("tickets", "Choose 1 to " + Show.TICKETS_MAX + " tickets.");
        }
        if (name == null || name.isBlank()) {
            problems.put("name", "Enter the name for the ticket.");
        } else if (name.length() > NAME_MAX || name.chars().anyMatch(Character::isISOControl)) {
            problems.put("name", "Use at most " + NAME_MAX + " characters for the name, on one line.");
        }
        if (!isMail(mail)) {
            problems.put("mail", "Enter an address such as ann@example.com.");
        }
        if (order == null || !ORDER.matcher(order).matches()) {
            problems.put("order", "The order number has 4 to 40 letters, digits or hyphens: open the form again.");
        }
        return problems;
    }

    /** Whether this looks like a mail address. */
    public static boolean isMail(@Nullable String text) {
        return text != null && MAIL.matcher(text).matches();
    }

    Card cardOrAny() {
        return card == null ? Card.ANY : card;
    }
}
