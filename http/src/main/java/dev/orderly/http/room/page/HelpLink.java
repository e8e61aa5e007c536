package dev.orderly.http.room.page;

import java.util.regex.Pattern;

/**
 * A link on the page: help, the shop's start page, another channel.
 *
 * @param text 1 to 100 characters
 * @param address {@code https:}, {@code http:}, {@code mailto:}, {@code tel:} or a path that starts with one slash; at
 *   most 2,000 characters
 */
public record HelpLink(String text, String address) {
    private static final Pattern RULE = Pattern.compile("(?:https?://|mailto:|tel:|/(?!/))[^\\s\"<>\\\\]*");

    /** @throws IllegalArgumentException if a value breaks its rule */
    public HelpLink {
        PageLook.check("link text", text, 100);
        if (text.isBlank()) {
            throw new IllegalArgumentException("The link has no text: say where it leads");
        }
        PageLook.check("link address", address, 2000);
        if (!RULE.matcher(address).matches()) {
            throw new IllegalArgumentException(
                    "The link address \"" + address + "\" is not allowed on a page: use"
                            + " https://, http://, mailto:, tel: or a path that starts with one slash");
        }
    }
}
