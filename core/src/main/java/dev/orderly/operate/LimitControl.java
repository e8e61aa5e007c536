package dev.orderly.operate;

import dev.orderly.job.LimitName;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.settings.LimitSettings;
import java.util.function.UnaryOperator;

/** The operations on limits. */
public final class LimitControl {
    private LimitControl() {}

    /** Changes the bounds of a limit on all nodes, until they are reset. */
    public static Operation<LimitOverride> set(String limit, UnaryOperator<LimitOverride> change) {
        return new Operation<>(OperationSpec.SET_LIMIT, (targets, who) -> {
            LimitName name = targets.limit(limit).name();
            LimitSettings settings = targets.orderly().limitSettings();
            try {
                var _ = change.apply(LimitOverride.NONE); // a value out of its bounds is no failed change
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
