package dev.orderly.operate;

import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.store.KeyView;
import java.util.function.UnaryOperator;

/** The operations on single keys of standard queues, and on single groups of FIFO queues. */
public final class KeyControl {
    private KeyControl() {}

    /** Stops the claims of a key or group on all nodes, or lets them go on. */
    public static Operation<KeyView> pause(String queue, String key, boolean paused) {
        return set(paused ? OperationSpec.PAUSE_KEY : OperationSpec.RESUME_KEY, queue, key,
                before -> before.withPaused(paused));
    }

    /** Changes the bounds of a key on all nodes, until they are reset. */
    public static Operation<KeyView> bounds(String queue, String key, UnaryOperator<LimitOverride> change) {
        return set(OperationSpec.SET_KEY, queue, key, before -> before.withBounds(change.apply(before.bounds())));
    }

    private static Operation<KeyView> set(OperationSpec spec, String queue, String key,
            UnaryOperator<KeySettings> change) {
        return new Operation<>(spec, (targets, who) -> {
            QueueName name = targets.queueName(queue);
            try {
                var _ = change.apply(KeySettings.NONE); // a value out of its bounds is no failed change
            } catch (IllegalArgumentException e) {
                throw OperationRefusedException.bounds(e);
            }
            String before = targets.key(name, key).settings().text();
            return new PreparedChange<>((name.isFifo() ? "group " : "key ") + key + " of queue " + name, before, () -> {
                try {
                    targets.orderly().jobs().setKey(name, key, change, who.toString());
                } catch (IllegalArgumentException e) {
                    throw OperationRefusedException.bounds(e);
                }
                return targets.key(name, key);
            }, view -> view.settings().text());
        });
    }
}
