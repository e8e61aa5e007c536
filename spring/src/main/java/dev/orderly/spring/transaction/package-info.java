/** Transactions of the application that pushes and handlers are part of. */
@Internal(to = "dev.orderly.springtest")
@NullMarked
package dev.orderly.spring.transaction;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
