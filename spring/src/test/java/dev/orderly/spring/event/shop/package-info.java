/** An application of modules. */
@NullMarked
package dev.orderly.spring.event.shop;

import org.jspecify.annotations.NullMarked;
