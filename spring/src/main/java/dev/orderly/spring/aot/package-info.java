/** What a native image has to know before it is built. Not tested with GraalVM. */
@NullMarked
package dev.orderly.spring.aot;

import org.jspecify.annotations.NullMarked;
