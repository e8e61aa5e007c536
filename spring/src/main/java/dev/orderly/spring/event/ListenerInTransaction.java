package dev.orderly.spring.event;

import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.ApplicationListenerMethodAdapter;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * In the place of an adopted listener: pushes its job in the transaction that publishes the event. As with the listener
 * itself, an event outside a transaction is not delivered.
 */
final class ListenerInTransaction extends ApplicationListenerMethodAdapter {
    private final AdoptedListener listener;

    ListenerInTransaction(AdoptedListener listener, Class<?> type, Method method) {
        super(listener.bean(), type, method);
        this.listener = listener;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (isDefaultExecution() || (TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive())) {
            processEvent(event);
        }
    }

    @Override
    public void processEvent(ApplicationEvent event) {
        @Nullable
        Object @Nullable [] arguments = resolveArguments(event);
        if (arguments != null && shouldHandle(event)) {
            listener.push(Objects.requireNonNull(arguments[0]));
        }
    }
}
