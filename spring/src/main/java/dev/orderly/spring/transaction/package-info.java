/** Transactions of the application that pushes and handlers are part of. */
@NullMarked
package dev.orderly.spring.transaction;

import org.jspecify.annotations.NullMarked;
