/** Schedules that are methods of beans: by Orderly's annotation, and by Spring's if it is taken over. */
@Internal
@NullMarked
package dev.orderly.spring.schedule;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
