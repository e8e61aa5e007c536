/** Schedules that are methods of beans: by Orderly's annotation, and by Spring's if it is taken over. */
@NullMarked
package dev.orderly.spring.schedule;

import org.jspecify.annotations.NullMarked;
