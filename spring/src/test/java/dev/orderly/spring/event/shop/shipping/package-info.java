/** The module of parcels. */
@NullMarked
package dev.orderly.spring.event.shop.shipping;

import org.jspecify.annotations.NullMarked;
