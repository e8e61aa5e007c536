package dev.orderly.http.room.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The page's files beside this class, minified, since they are sent thousands of times a second. */
final class PageAsset {
    /** Either a string, which is kept, or blanks around an operator. */
    private static final Pattern BLANKS = Pattern.compile("('[^']*')| *([-=+<>?:&|,{}();!*/]) *");

    private PageAsset() {}

    /** The file without indents, empty lines and comment lines. */
    static String lines(String file) {
        try (InputStream in = PageAsset.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing beside " + PageAsset.class.getName());
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
    static String script(String file) {
        return BLANKS.matcher(lines(file)).replaceAll("$1$2").replaceAll("(?<=[;{,(])\n", "");
    }
}
