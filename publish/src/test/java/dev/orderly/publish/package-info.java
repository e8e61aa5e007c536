/** The staged Maven repository: what Maven Central asks of it, and applications that are built with it. */
@NullMarked
package dev.orderly.publish;

import org.jspecify.annotations.NullMarked;
