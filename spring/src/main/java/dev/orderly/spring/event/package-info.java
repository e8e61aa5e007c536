/**
 * Events of Spring Modulith as jobs: each event for a method with {@code @ApplicationModuleListener}, and events with
 * {@code @Externalized}.
 */
@Internal
@NullMarked
package dev.orderly.spring.event;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
