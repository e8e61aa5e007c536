package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.LimitName;
import dev.orderly.job.settings.LimitSettings;
import dev.orderly.store.KeyValueStore;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Settings of a version that this one cannot read. */
class UnreadSettingsTest {
    private static final String KEY = "limit-settings";
    private static final LimitName CRM = new LimitName("crm");
    private static final LimitName OTHER = new LimitName("other");

    private final ManualTime time = new ManualTime();
    private final KeyValueStore store = new MemoryStore(time).settings();
    private final LimitSettings settings = new LimitSettings(store, time, _ -> {});

    private String stored() {
        return store.read(KEY, time.now()).orElseThrow().text();
    }

    private void other(String text) {
        long version = store.read(KEY, time.now()).map(value -> value.version()).orElse(KeyValueStore.ABSENT);
        assertThat(store.replace(KEY, version, text, time.now().plus(Duration.ofDays(9)), time.now())).isPresent();
    }

    @Test
    void aChangeOfOneThingKeepsWhatAnotherVersionSaysOfTheOthers() {
        other("{\"crm\":{\"concurrency\":\"dynamic\"}}");
        settings.change(OTHER, before -> before.withConcurrency(3), "ann");
        assertThat(stored()).contains("\"crm\":{\"concurrency\":\"dynamic\"}").contains("\"other\"");
        assertThat(settings.all()).containsOnlyKeys(OTHER);
    }

    @Test
    void aChangeAndAResetReplaceWhatCannotBeRead() {
        other("{\"crm\":{\"concurrency\":\"dynamic\"}}");
        settings.change(CRM, before -> before.withConcurrency(3), "ann");
        assertThat(stored()).doesNotContain("dynamic");
        assertThat(settings.of(CRM).concurrency()).isEqualTo(3);
        other("{\"crm\":{\"concurrency\":\"dynamic\"}}");
        settings.forget(CRM);
        assertThat(stored()).isEqualTo("{}");
    }
}
