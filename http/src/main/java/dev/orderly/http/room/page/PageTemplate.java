package dev.orderly.http.room.page;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.MustacheParseException;
import com.samskivert.mustache.Template;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A page as a Mustache template: ours, or an operator's own. Checked when it is read, so that a room never finds out
 * while visitors wait.
 *
 * <p>Values, empty where they do not apply: {@code lang}, {@code dir}, {@code room}, {@code base} (the path under which
 * the room's calls are), {@code title}, {@code text}, {@code logo}, {@code help}, {@code helpText}, {@code state},
 * {@code pageTitle}, {@code heading}, {@code lead}, {@code place} (a sentence), {@code aheadBefore} {@code ahead}
 * {@code aheadAfter} (a sentence around a number), {@code aheadSize}, {@code progress} (0 to 100), {@code estimate},
 * {@code cause}, {@code message}, {@code rate}, {@code capacity}, {@code refresh} (seconds), {@code refreshNote},
 * {@code checkText}. For sections: {@code waiting}, {@code door}, {@code turn}, {@code held}, {@code closed},
 * {@code tooMany}, {@code unavailable}. The texts without numbers of {@code text/en.properties} are {@code t.leave} and
 * so on. {@code style}, {@code script} and {@code data} are for three braces, as in our own {@code page.html}; the script
 * writes into the elements of the same ids there and passes over those that are missing.
 *
 * <p>Everything but those three is escaped for HTML, with three braces too. A style or script of the template's own is
 * allowed by its hash and cannot hold values; nothing is loaded from elsewhere. Immutable.
 */
public final class PageTemplate {
    /** The largest template, in bytes. */
    public static final int MAX = 1 << 20;

    private final String name;
    private final String source;
    private final Template template;

    private PageTemplate(String name, String source) {
        this.name = name;
        this.source = source;
        if (source.indexOf(Slot.MARK) >= 0) {
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

    /** Ours. */
    public static PageTemplate standard() {
        return new PageTemplate("page.html", resource("page.html"));
    }

    /**
     * An operator's own.
     *
     * @throws IllegalArgumentException naming the file, the line, the rule and the remedy
     */
    public static PageTemplate read(Path file) {
        try {
            if (Files.size(file) > MAX) {
                throw new IllegalArgumentException("The waiting page " + file + " has " + Files.size(file)
                        + " bytes: use at most " + MAX);
            }
            return new PageTemplate(file.toString(), StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(
                    Files.readAllBytes(file))).toString());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "The waiting page " + file + " is not in UTF-8: save it in that encoding",
                    e);
        } catch (IOException e) {
            throw new IllegalArgumentException("The waiting page " + file + " cannot be read: check that the file is"
                    + " there and readable", e);
        }
    }

    /** Lays the page out. Slow: microseconds for each value in it. */
    Skeleton layOut(Map<String, Object> values) {
        try {
            return Skeleton.cut(template.execute(values));
        } catch (MustacheException e) {
            throw new IllegalArgumentException(name + " cannot be filled: " + e.getMessage(), e);
        }
    }

    /** What a browser may run and load of this page, as a {@code Content-Security-Policy}. */
    String policy(String style, String script) {
        return ContentPolicy.of(source.replace("{{{style}}}", style).replace("{{{script}}}", script));
    }

    /** A text file beside this class, without indents and comment lines. */
    static String resource(String file) {
        try (InputStream in = PageTemplate.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing beside " + PageTemplate.class.getName());
            }
            StringBuilder text = new StringBuilder();
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("//")).forEach(line -> text.append(line).append(
                            '\n'));
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
