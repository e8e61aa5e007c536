/** The auto-configuration: beans and their conditions, the start and the stop, explanations of failures. */
@NullMarked
package dev.orderly.spring.boot;

import org.jspecify.annotations.NullMarked;
