package dev.orderly.spring.handler;

import dev.orderly.Internal;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.ReactiveAdapterRegistry;

/** Results by which a method returns before its work is done. */
@Internal(to = "dev.orderly")
public final class DeferredResults {
    private DeferredResults() {}

    /** Whether a type is a future or a reactive one; of the latter those count whose library is there. */
    public static boolean isDeferred(Class<?> type) {
        return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }
}
