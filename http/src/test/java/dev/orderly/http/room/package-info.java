/** Tests of rooms behind a real listener. */
@NullMarked
package dev.orderly.http.room;

import org.jspecify.annotations.NullMarked;
