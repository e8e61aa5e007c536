/** The properties of the starter, and the options of queues made of them. */
@Internal(to = "dev.orderly.springtest")
@NullMarked
package dev.orderly.spring.config;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
