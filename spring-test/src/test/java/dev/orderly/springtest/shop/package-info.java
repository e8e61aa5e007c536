/** A small application, as a reader would write it. */
@NullMarked
package dev.orderly.springtest.shop;

import org.jspecify.annotations.NullMarked;
