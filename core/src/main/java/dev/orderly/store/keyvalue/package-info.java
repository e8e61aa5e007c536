/** The port of keys with values, which every store implements. */
@NullMarked
package dev.orderly.store.keyvalue;

import org.jspecify.annotations.NullMarked;
