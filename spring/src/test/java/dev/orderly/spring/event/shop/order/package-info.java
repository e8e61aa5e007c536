/** The module of orders. */
@NullMarked
package dev.orderly.spring.event.shop.order;

import org.jspecify.annotations.NullMarked;
