/**
 * The demo: a small ticket shop that uses Orderly as any Java application would. Start at {@link
 * dev.orderly.boxoffice.BoxOffice}, then read {@link dev.orderly.boxoffice.shop.CheckoutHandler}.
 */
@NullMarked
package dev.orderly.boxoffice;

import org.jspecify.annotations.NullMarked;
