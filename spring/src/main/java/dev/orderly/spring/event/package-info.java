/**
 * Events of Spring Modulith as jobs: each event for a method with {@code @ApplicationModuleListener}, and events with
 * {@code @Externalized}.
 */
@NullMarked
package dev.orderly.spring.event;

import org.jspecify.annotations.NullMarked;
