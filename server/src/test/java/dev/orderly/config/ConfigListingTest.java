package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.about.ConfigValue;
import dev.orderly.about.ConfigValue.Source;
import dev.orderly.config.reader.ConfigResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every key in force, with its source. */
class ConfigListingTest extends ConfigTrial {
    ConfigListingTest() {
        super("store: sqlite:orderly.db\n");
    }

    @Test
    void eachValueTellsItsLineItsVariableItsOptionOrThatItIsADefault() {
        environment.put("ORDERLY_ADMIN_PORT", "9181");
        environment.put("ORDERLY_QUEUES_EMAILS_TIMEOUT", "90s");
        ConfigResult result = file("""
                edge:
                  port: 8090
                queues:
                  emails: { concurrency: 8 }
                """).override("--origin", "edge.host", "127.0.0.1").read();
        List<ConfigValue> values = ((ConfigResult.Valid) result).config().values();
        assertThat(values).contains(new ConfigValue("edge.port", "8090", Source.FILE, "line 3"),
                new ConfigValue("admin.port", "9181", Source.VARIABLE, "ORDERLY_ADMIN_PORT"),
                new ConfigValue("edge.host", "127.0.0.1", Source.OPTION, "--origin"),
                new ConfigValue("queues.emails.concurrency", "8", Source.FILE, "line 5"),
                new ConfigValue("queues.emails.timeout", "90s", Source.VARIABLE, "ORDERLY_QUEUES_EMAILS_TIMEOUT"),
                new ConfigValue("queues.emails.max-pending", "10000000", Source.DEFAULT, ""),
                new ConfigValue("keep.done", "1d", Source.DEFAULT, ""));
        assertThat(values).extracting(ConfigValue::key).doesNotHaveDuplicates()
                .noneMatch(key -> key.startsWith("metrics.") || key.startsWith("alerts."));
    }

    @Test
    void noSecretIsShown() {
        List<ConfigValue> values = valid("""
                queues: { emails: { handler: "http://bob:s3cret@127.0.0.1:9000/jobs?key=s3cret" } }
                alerts: { url: "https://hooks.example.com/x?token=s3cret" }
                edge: { origin: "http://127.0.0.1:9000" }
                rooms:
                  sale: { match: ["/**"], capacity: 5, bypass: [ { header: "X-Health-Check: s3cret" } ] }
                schedules: { digest: { cron: daily, queue: emails, payload: { password: s3cret } } }
                """).values();
        assertThat(values.toString()).doesNotContain("s3cret").contains("X-Health-Check: ***",
                "http://***@127.0.0.1:9000/jobs?***", "(not shown)");
    }
}
