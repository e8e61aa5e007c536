package dev.orderly.operate;

import dev.orderly.job.LimitName;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.settings.LimitSettings;
import java.util.function.UnaryOperator;

/** The operations on limits. */
public final class LimitControl {
    private LimitControl() {}

    private static void checkGroups(LimitName name, int concurrency) {
        if (name.isOfGroups() && concurrency > 1) {
            throw new IllegalArgumentException(
                    "Limit " + name + " is that of the groups of a FIFO queue, and one job of"
                            + " each group runs at a time: change its rate");
        }
    }

    /** Changes the bounds of a limit on all nodes, until they are reset. */
    public static Operation<LimitOverride> set(String limit, UnaryOperator<LimitOverride> change) {
        return new Operation<>(OperationSpec.SET_LIMIT, (targets, who) -> {
            LimitName name = targets.limit(limit).name();
            LimitSettings settings = targets.orderly().limitSettings();
            try {
                LimitOverride bounds = change.apply(LimitOverride.NONE); // out of bounds is no failed change
                checkGroups(name, bounds.concurrency() == null ? 1 : bounds.concurrency());
            } catch (IllegalArgumentException e) {
                throw OperationRefusedException.bounds(e);
            }
            return new PreparedChange<>("limit " + name, settings.of(name).text(), () -> {
                try {
                    return settings.change(name, change, who.toString());
                } catch (IllegalArgumentException e) {
                    throw OperationRefusedException.bounds(e);
                }
            }, LimitOverride::text);
        });
    }
}
