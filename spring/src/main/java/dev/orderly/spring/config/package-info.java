/** The properties of the starter, and the options of queues made of them. */
@NullMarked
package dev.orderly.spring.config;

import org.jspecify.annotations.NullMarked;
