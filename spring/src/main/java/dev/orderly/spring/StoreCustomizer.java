package dev.orderly.spring;

import dev.orderly.Store;

/**
 * A bean that puts something in front of the store before the engine opens it, such as
 * {@link Store#observed(Store, dev.orderly.store.StoreObserver, dev.orderly.job.store.JobObserver)}. Several run in the
 * order of their {@code @Order}, each with the result of the one before.
 */
@FunctionalInterface
public interface StoreCustomizer {
    Store customize(Store store);
}
