package dev.orderly.web.room.page;

import dev.orderly.text.LocalizedText;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A link on the page: help, the shop's start page, another channel.
 *
 * @param text 1 to 100 characters in each language; null for the word for help in the visitor's language
 * @param address in each language {@code https:}, {@code http:}, {@code mailto:}, {@code tel:} or a path that starts
 *     with one slash; at most 2,000 characters
 */
public record HelpLink(@Nullable LocalizedText text, LocalizedText address) {
    private static final Pattern RULE = Pattern.compile("(?:https?://|mailto:|tel:|/(?!/))[^\\s\"<>\\\\]*");

    /** @throws IllegalArgumentException if a value breaks its rule */
    public HelpLink {
        Objects.requireNonNull(address, "address");
        if (text != null) {
            PageLook.check("link text", text, 100);
            if (text.texts().values().stream().anyMatch(String::isBlank)) {
                throw new IllegalArgumentException("The link has no text: say where it leads");
            }
        }
        PageLook.check("link address", address, 2000);
        address.texts().values().stream().filter(one -> !RULE.matcher(one).matches()).findFirst().ifPresent(one -> {
            throw new IllegalArgumentException("The link address \"" + one + "\" is not allowed on a page: use"
                    + " https://, http://, mailto:, tel: or a path that starts with one slash");
        });
    }

    /** A link for readers of all languages. */
    public static HelpLink of(String text, String address) {
        Objects.requireNonNull(address, "address");
        return new HelpLink(LocalizedText.of(text), LocalizedText.of(address));
    }
}
