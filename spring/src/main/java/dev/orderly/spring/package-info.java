/**
 * Orderly inside a Spring Boot application. {@link dev.orderly.spring.JobHandler} makes a method of a bean the handler
 * of a queue; {@link dev.orderly.spring.EngineCustomizer} and {@link dev.orderly.spring.StoreCustomizer} change what is
 * configured automatically.
 */
@NullMarked
package dev.orderly.spring;

import org.jspecify.annotations.NullMarked;
