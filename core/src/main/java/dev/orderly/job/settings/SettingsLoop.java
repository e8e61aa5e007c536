package dev.orderly.job.settings;

import dev.orderly.Internal;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Lifecycle;
import dev.orderly.store.Bus;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows changes of settings by other nodes: reads them after a hint over the bus, and every {@value #POLL_SECONDS} s
 * if other processes may use the store.
 */
@Internal(to = "dev.orderly")
public final class SettingsLoop {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsLoop.class);
    static final int POLL_SECONDS = 2;
    private static final Duration POLL = Duration.ofSeconds(POLL_SECONDS);
    private static final Duration POLL_ALONE = Duration.ofMinutes(1);
    private static final Duration HARD_STOP = Duration.ofSeconds(1);
    private static final byte[] HINT = "settings".getBytes(StandardCharsets.UTF_8);

    private final List<StoredSettings<?, ?>> settings;
    private final Duration poll;
    private final BackgroundLoop loop;
    private boolean failing;

    /**
     * @param isShared whether other processes may use the store
     * @param lifecycle its start follows changes, until its end
     */
    public SettingsLoop(List<StoredSettings<?, ?>> settings, boolean isShared, Bus bus, Time time,
            Lifecycle lifecycle) {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(time, "time");
        this.settings = List.copyOf(settings);
        this.poll = isShared ? POLL : POLL_ALONE;
        this.loop = new BackgroundLoop("settings", time, this::step);
        bus.subscribe(Bus.Topic.SETTINGS, _ -> loop.ring());
        settings.forEach(each -> each.onChange(() -> {
            loop.ring(); // a read that began before may end later, and apply what it found
            bus.publish(Bus.Topic.SETTINGS, HINT);
        }));
        lifecycle.of(loop::start, () -> loop.stop(HARD_STOP));
    }

    /**
     * Reads the settings on the calling thread: they are in force before the first job is claimed.
     *
     * @throws StoreException if the store cannot be reached
     */
    public void load() {
        settings.forEach(StoredSettings::load);
    }

    /** As {@link BackgroundLoop#stall}. */
    public Optional<String> stall() {
        return loop.stall();
    }

    private Duration step() {
        try {
            load();
            failing = false;
        } catch (StoreException e) {
            if (!failing) {
                LOG.warn("The settings of queues and limits cannot be read; the known ones stay in force: {}",
                        e.getMessage());
            }
            failing = true;
        }
        return poll;
    }
}
