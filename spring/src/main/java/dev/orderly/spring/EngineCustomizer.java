package dev.orderly.spring;

import dev.orderly.job.engine.EngineOptions;

/**
 * A bean that changes the settings of the engine before it opens, such as its tracer or its observer. Several run in
 * the order of their {@code @Order}, each with the result of the one before.
 */
@FunctionalInterface
public interface EngineCustomizer {
    EngineOptions customize(EngineOptions options);
}
