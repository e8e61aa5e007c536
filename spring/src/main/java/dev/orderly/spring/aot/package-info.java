/** What a native image has to know before it is built. Not tested with GraalVM. */
@Internal
@NullMarked
package dev.orderly.spring.aot;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
