package dev.orderly.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tables of a page that are made of the sources.
 *
 * @param page below {@code docs}
 * @param pattern of a table, whose first group is the line before it
 * @param test the class that makes the rows
 */
record WrittenTable(String page, Pattern pattern, Class<?> test) {
    private static final String WRITE = "orderly.pages.write";

    /** Fails with the command that writes the page if its tables have other rows; returns the page. */
    String check(Function<MatchResult, String> rows) throws IOException {
        Path file = Checkout.ROOT.resolve("docs").resolve(page);
        String written = pattern.matcher(read(file))
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1) + rows.apply(found)));
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(file, written);
        }
        assertThat(read(file)).as("docs/%s is out of date: run build/quick architecture -Dtest=%s -D%s=true", page,
                test.getSimpleName(), WRITE).isEqualTo(written);
        return written;
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
