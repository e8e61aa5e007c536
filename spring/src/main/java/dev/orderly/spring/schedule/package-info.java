/** Schedules that are methods of beans: those of Orderly, and those of Spring that are taken over. */
@NullMarked
package dev.orderly.spring.schedule;

import org.jspecify.annotations.NullMarked;
