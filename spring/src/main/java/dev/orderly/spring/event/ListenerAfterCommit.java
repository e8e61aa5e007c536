package dev.orderly.spring.event;

import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;
import org.springframework.transaction.event.TransactionalApplicationListenerMethodAdapter;

/**
 * In the place of an adopted listener where the store cannot be part of the transaction: pushes its job right after the
 * commit. Until then the event is in the event publication registry, if the application has one.
 */
final class ListenerAfterCommit extends TransactionalApplicationListenerMethodAdapter {
    private final AdoptedListener listener;
    private final Publications publications;

    ListenerAfterCommit(AdoptedListener listener, Class<?> type, Method method, Publications publications) {
        super(listener.bean(), type, method);
        this.listener = listener;
        this.publications = publications;
    }

    @Override
    public void processEvent(ApplicationEvent event) {
        @Nullable
        Object @Nullable [] arguments = resolveArguments(event);
        if (arguments != null && shouldHandle(event)) {
            Object published = Objects.requireNonNull(arguments[0]);
            publications.push(published, listener.listener(), () -> listener.push(published));
        }
    }
}
