package dev.orderly.web.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The files of pages, minified, since they are sent thousands of times a second. */
public final class PageAsset {
    /** Either a string, which is kept, or blanks around an operator. */
    private static final Pattern BLANKS = Pattern.compile("('[^']*')| *([-=+<>?:&|,{}();!*/]) *");

    private PageAsset() {}

    /** The style that all pages share. */
    public static String style() {
        return lines(PageAsset.class, "page.css").replace("\n", "");
    }

    /**
     * The file without indents, empty lines and comment lines.
     *
     * @param beside a class of the same package
     */
    public static String lines(Class<?> beside, String file) {
        try (InputStream in = beside.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing beside " + beside.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("//")).collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A script without unnecessary blanks, too. The script ends every statement with a semicolon and quotes with '
     * only.
     */
    public static String script(Class<?> beside, String file) {
        return BLANKS.matcher(lines(beside, file)).replaceAll("$1$2").replaceAll("(?<=[;{,(}])\n", "")
                .replace(";}", "}");
    }
}
