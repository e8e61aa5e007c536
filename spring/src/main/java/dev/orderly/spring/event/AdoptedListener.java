package dev.orderly.spring.event;

import dev.orderly.job.Handler;
import dev.orderly.job.StandardQueue;
import java.lang.reflect.Method;

/**
 * A method with {@code @ApplicationModuleListener} whose events are jobs.
 *
 * @param name the bean, a dot and the method, for messages
 * @param listener id of the listener in Spring and in the event publication registry
 * @param method as the class of the bean declares it, not its proxy
 * @param events the types of event that a job can carry
 */
record AdoptedListener(String name, String listener, String bean, Method method, EventTypes events,
        StandardQueue<Object> queue, Handler<Object> handler) {
    /** @throws IllegalStateException if the job could not be read again */
    void push(Object event) {
        if (!events.contains(event.getClass())) {
            throw new IllegalStateException("@ApplicationModuleListener " + name + " takes " + events
                    + ", and the event"
                    + " is of the subclass " + event.getClass().getName() + ", which its job would lose: publish the"
                    + " class itself, make the parameter a sealed type, or list " + name + " in orderly.events.leave");
        }
        queue.push(event);
    }
}
