package dev.orderly.spring.handler;

import dev.orderly.job.Handler;

/**
 * A bean that puts something around the handlers that are methods, such as an observation. Called once for each method
 * at the start. Of several, the first in the order of {@code @Order} is the outermost; all are around the transaction
 * of {@link dev.orderly.spring.JobHandler#inTransaction}. Not asked about methods that take several jobs.
 */
@FunctionalInterface
public interface HandlerDecorator {
    /** @return the handler to attach; {@code handler} itself to leave the method alone */
    Handler<Object> decorate(HandlerMethod method, Handler<Object> handler);
}
