package dev.orderly.dashboard.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.access.Identity;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class AuditFileTest {
    private static final Pattern CELL = Pattern.compile("\"((?:[^\"]|\"\")*)\"(,|\r\n)");

    private static List<AuditEntry> entries(String text) {
        return List.of(new AuditEntry(1, new AuditAct(Instant.EPOCH, Identity.Kind.PROXY, text, text, text, text, text),
                Outcome.REFUSED, text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "\uff1d1",
            "\u200b=1", "a\",=1", "a\r\n=1", "\u001b[2J", "\u202ea"})
    void noCellIsAFormulaAndNoneHasAHiddenCharacter(String text) {
        String file = AuditFile.csv(entries(text));
        String row = file.substring(file.indexOf("\r\n") + 2);
        Matcher cells = CELL.matcher(row);
        int count = 0;
        int end = 0;
        while (cells.find()) {
            assertThat(cells.start()).as(row).isEqualTo(end);
            assertThat(cells.group(1)).doesNotMatch("(?s)[\\s\\h\\p{Cf}]*[=+@\uff1d-].*")
                    .doesNotMatch("(?s).*[\\p{Cc}\\p{Cf}].*");
            end = cells.end();
            count++;
        }
        assertThat(count).isEqualTo(10);
        assertThat(end).isEqualTo(row.length());
        String line = AuditFile.ndjson(entries(text));
        assertThat(line.strip()).doesNotMatch("(?s).*[\\p{Cc}\\p{Cf}].*");
        assertThat(JsonMapper.shared().readTree(line).path("outcome").asString()).isEqualTo("refused");
    }
}
