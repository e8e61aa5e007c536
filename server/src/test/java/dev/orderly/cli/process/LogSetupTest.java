package dev.orderly.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.orderly.config.LogFormat;
import dev.orderly.testkit.contract.input.HostileTexts;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

class LogSetupTest {
    private final LoggerContext context = new LoggerContext();

    private String written(LogFormat format, boolean verbose, String text, boolean fails) {
        IllegalStateException thrown = new IllegalStateException(text, new IllegalArgumentException(text));
        thrown.addSuppressed(new IllegalArgumentException(text));
        LoggingEvent event = new LoggingEvent("test", context.getLogger("dev.orderly.Some"), Level.WARN,
                "Job {} failed", fails ? thrown : null, new Object[]{text});
        event.setMDCPropertyMap(Map.of("group", text));
        byte[] line = LogSetup.encoder(context, format, verbose).encode(event);
        return new String(line, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(LogFormat.class)
    void noLoggedValueCommandsATerminalOrForgesALine(LogFormat format) {
        for (boolean verbose : List.of(true, false)) {
            long lines = written(format, verbose, "harmless", true).lines().count();
            for (String text : HostileTexts.some(3, 30)) {
                assertThat(written(format, verbose, text, false)).endsWith("\n").doesNotContain("%n").hasLineCount(1);
                String written = written(format, verbose, text, true);
                assertThat(written).endsWith("\n");
                assertThat(HostileTexts.isHostile(written.replace("\n", "").replace("\t", ""))).as(written).isFalse();
                assertThat(written.lines().count()).as(written).isEqualTo(lines);
                if (format == LogFormat.JSON) {
                    assertThat(JsonMapper.shared().readTree(written).path("formattedMessage").asString())
                            .isEqualTo("Job " + text + " failed");
                } else {
                    assertThat(written).contains("WARN", "Job ", "Caused by");
                }
            }
        }
    }
}
