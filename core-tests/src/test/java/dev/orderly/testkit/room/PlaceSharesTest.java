package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.room.PlaceShares.Defence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table of docs/abuse.md has the figures of the simulation. */
class PlaceSharesTest {
    private static final String WRITE = "orderly.pages.write";
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "..", "docs", "abuse.md");
    private static final Pattern TABLE = Pattern.compile("(<!-- shares of places -->\n).*?(?=\n\n)", Pattern.DOTALL);

    @Tag("slow")
    @Test
    void thePageHasTheSharesThatTheSimulationFinds() throws IOException {
        String page = Files.readString(PAGE);
        String written = TABLE.matcher(page)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1) + PlaceShares.table()));
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PAGE, written);
        }
        assertThat(Files.readString(PAGE)).as("docs/abuse.md is out of date: run"
                + " build/quick core-tests -Dtest=PlaceSharesTest -D%s=true", WRITE).isEqualTo(written)
                .contains("| nothing |");
    }

    @Test
    void eachDefenceTakesPlacesFromPrograms() {
        assertThat(PlaceShares.share(Defence.JOINS, 10)).isLessThan(PlaceShares.share(Defence.NONE, 10));
        assertThat(PlaceShares.share(Defence.CHECK, 100)).isLessThan(PlaceShares.share(Defence.JOINS, 100) / 2);
        assertThat(PlaceShares.share(Defence.JOINS_DRAW, 10)).isLessThan(PlaceShares.share(Defence.JOINS, 10) / 2);
        assertThat(PlaceShares.share(Defence.JOINS_DRAW, 10)).as("the draw alone makes tickets no scarcer")
                .isPositive();
        assertThat(PlaceShares.share(Defence.WORK, 100)).as("work slows programs, and a check keeps them out")
                .isLessThan(PlaceShares.share(Defence.JOINS, 100) * 2 / 3)
                .isGreaterThan(PlaceShares.share(Defence.CHECK, 100));
        assertThat(PlaceShares.share(Defence.SCATTERED, 100)).as("the check sees no crowd")
                .isGreaterThan(PlaceShares.share(Defence.CHECK, 100) * 2);
    }
}
