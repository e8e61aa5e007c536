package dev.orderly.spring.handler;

import dev.orderly.Internal;
import dev.orderly.job.Handler;

/** The part that runs handlers in a transaction which also completes their jobs; absent where the store has none. */
@Internal(to = "dev.orderly")
public interface TransactionalHandlers {
    /**
     * @param handler called inside the transaction
     * @throws dev.orderly.spring.StartRefusedException if the transaction manager of the method does not fit the store
     */
    Handler<Object> inTransaction(HandlerMethod method, Handler<Object> handler);

    /** Whether handlers may ask for it: whether the store is part of transactions of the application. */
    boolean isPossible();
}
