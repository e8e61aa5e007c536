/** The module of invoices. */
@NullMarked
package dev.orderly.spring.event.shop.billing;

import org.jspecify.annotations.NullMarked;
