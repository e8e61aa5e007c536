/** The shop without its pages: shows, orders, seats, and the two handlers. */
@NullMarked
package dev.orderly.boxoffice.shop;

import org.jspecify.annotations.NullMarked;
