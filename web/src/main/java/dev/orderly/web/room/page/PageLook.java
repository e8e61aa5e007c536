package dev.orderly.web.room.page;

import dev.orderly.text.LocalizedText;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operator's design of a room's page. Colours are changed by CSS variables: {@code :root{--accent:#a3123a}}, beside
 * it {@code --paper}, {@code --ink}, {@code --soft}, {@code --faint} and {@code --on-accent}; colours for dark mode go
 * into a {@code prefers-color-scheme} query. Applications begin with {@link #titled}: the constructor may get more
 * parameters.
 *
 * @param title of the site or event, 1 to 200 characters in each language
 * @param text a plain paragraph, at most 2,000 characters in each language; line ends are kept; null for none
 * @param logo shown at the top instead of the title; the title is its alternative text
 * @param css added after the page's own, at most 64 KiB; empty for none
 * @param link null for none
 */
public record PageLook(LocalizedText title, @Nullable LocalizedText text, @Nullable Logo logo, String css,
        @Nullable HelpLink link) {
    private static final int CSS_MAX = 64 << 10;

    /** @throws IllegalArgumentException naming the setting that breaks its rule */
    public PageLook {
        Objects.requireNonNull(css, "css");
        Objects.requireNonNull(title, "title");
        check("title", title, 200);
        if (title.texts().values().stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("The title of the waiting page is blank: name the site or the event");
        }
        if (text != null) {
            check("text", text, 2000);
        }
        checkCss(css);
    }

    public PageLook withTitle(LocalizedText value) {
        Objects.requireNonNull(value, "value");
        return new PageLook(value, text, logo, css, link);
    }

    public PageLook withText(@Nullable LocalizedText value) {
        return new PageLook(title, value, logo, css, link);
    }

    public PageLook withLogo(@Nullable Logo value) {
        return new PageLook(title, text, value, css, link);
    }

    public PageLook withCss(String value) {
        Objects.requireNonNull(value, "value");
        return new PageLook(title, text, logo, value, link);
    }

    public PageLook withLink(@Nullable HelpLink value) {
        return new PageLook(title, text, logo, css, value);
    }

    /** A look with a title only. */
    public static PageLook titled(String title) {
        Objects.requireNonNull(title, "title");
        return new PageLook(LocalizedText.of(title), null, null, "", null);
    }

    static void checkCss(String css) {
        check("css", css, CSS_MAX);
        if (css.toLowerCase(Locale.ROOT).contains("</style") || css.contains("<!--")) {
            throw new IllegalArgumentException("The css of the waiting page has markup in it: write rules only, without"
                    + " <style> around them");
        }
    }

    static void check(String name, LocalizedText texts, int max) {
        texts.texts().forEach((language, text) -> check(
                language.equals(LocalizedText.DEFAULT) ? name : name + " for " + language, text, max));
    }

    private static void check(String name, String value, int max) {
        if (value.length() > max) {
            throw new IllegalArgumentException("The " + name + " of the waiting page has " + value.length()
                    + " characters: use at most " + max);
        }
        if (value.indexOf(TemplateSlot.MARK) >= 0) {
            throw new IllegalArgumentException("The " + name + " of the waiting page has the character U+FDD0, which is"
                    + " none for texts: remove it");
        }
    }
}
