/** Promises of the table of operations, beside a store in memory. */
@NullMarked
package dev.orderly.testkit.operate;

import org.jspecify.annotations.NullMarked;
