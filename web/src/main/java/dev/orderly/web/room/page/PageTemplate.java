package dev.orderly.web.room.page;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.MustacheParseException;
import com.samskivert.mustache.Template;
import dev.orderly.web.page.PageAsset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page as a Mustache template: the default template, or an operator's own. Validated when it is read, so that a fault
 * is found before visitors wait.
 *
 * <p>Values, empty if they do not apply: {@code lang}, {@code dir}, {@code room}, {@code base} (the base path of the
 * room's API), {@code title}, {@code text}, {@code logo}, {@code help}, {@code helpText} (the languages of these texts
 * are {@code titleLang}, {@code textLang}, {@code helpLang}, that of the message {@code messageLang}), {@code state},
 * {@code pageTitle}, {@code heading}, {@code lead}, {@code place} (a sentence), {@code aheadBefore} {@code ahead}
 * {@code aheadAfter} (a sentence around a number), {@code aheadSize}, {@code progress} (0 to 100), {@code estimate},
 * {@code kept} (a sentence on recent estimates), {@code cause}, {@code message}, {@code rate}, {@code capacity},
 * {@code tiers} (sentences),
 * {@code refresh} (seconds), {@code refreshNote}, {@code checkText}, {@code move} (the address of the form that makes a
 * link for another device), {@code invitation} (the address of the page that takes a code), and
 * before an opening {@code opening} (sentences), {@code opensIn} (seconds),
 * {@code clock} (the same as hours, minutes and seconds), {@code instead}, {@code crowd} and {@code draw} (sentences),
 * {@code commitment} (to a draw) and {@code nonce} (whether the browser is to send one); behind a lobby with a draw
 * {@code receipt} (its address); for work before a place {@code challenge} (JSON in the format of ALTCHA, for an
 * attribute). For sections:
 * {@code waiting}, {@code door}, {@code turn}, {@code held}, {@code lobby}, {@code opens}, {@code closed},
 * {@code tooMany}, {@code slowed}, {@code working}, {@code refused}, {@code unavailable}. The texts without numbers of
 * {@code text/en.properties} are {@code t.leave} and so on. {@code style}, {@code script} and {@code data} need three
 * braces, as in the default {@code page.html}; the script writes into the elements with its ids and skips missing
 * elements.
 *
 * <p>Everything but those three is escaped for HTML, even with three braces. A template's own styles and scripts are
 * allowed by their hash and cannot contain values; nothing is loaded from elsewhere. Immutable.
 */
public final class PageTemplate {
    /** The maximum size of a template, in bytes. */
    public static final int MAX = 1 << 20;

    private final String name;
    private final String source;
    private final Template template;

    private PageTemplate(String name, String source) {
        this.name = name;
        this.source = source;
        if (source.indexOf(TemplateSlot.MARK) >= 0) {
            throw new IllegalArgumentException(name + " has the character U+FDD0, which is none for texts: remove it");
        }
        try {
            template = Mustache.compiler().defaultValue("").emptyStringIsFalse(true).compile(source);
        } catch (MustacheParseException e) {
            throw new IllegalArgumentException(name + " is no Mustache template: " + e.getMessage()
                    + ". Close every {{#section}} with its {{/section}}, and every {{ with }}", e);
        }
        new TemplateCheck(name, source).check(template);
    }

    /** Whether both have the same source. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PageTemplate that && source.equals(that.source);
    }

    @Override
    public int hashCode() {
        return source.hashCode();
    }

    /** The default template. */
    public static PageTemplate standard() {
        return new PageTemplate("page.html", PageAsset.lines(PageTemplate.class, "page.html"));
    }

    /**
     * Reads an operator's own template.
     *
     * @throws IllegalArgumentException naming the file, the line, the rule and the remedy
     */
    public static PageTemplate read(PageFile file) {
        return new PageTemplate(file.name(), file.text("The waiting page", MAX, "use at most " + MAX));
    }

    /** Runs the template. Slow: microseconds for each value in it. */
    Skeleton layOut(Map<String, Object> values) {
        try {
            return Skeleton.cut(template.execute(values));
        } catch (MustacheException e) {
            throw new IllegalArgumentException(name + " cannot be filled: " + e.getMessage(), e);
        }
    }

    /** The page's {@code Content-Security-Policy}: the code that may run and the content that may be loaded. */
    String policy(String style, String script) {
        return ContentPolicy.of(source.replace("{{{style}}}", style).replace("{{{script}}}", script));
    }

}
