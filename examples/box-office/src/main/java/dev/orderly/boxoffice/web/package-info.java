/** The pages of the shop: plain HTML that works without script, on the JDK's own web server. */
@NullMarked
package dev.orderly.boxoffice.web;

import org.jspecify.annotations.NullMarked;
