/** The user of a request. */
@NullMarked
package dev.orderly.web.user;

import org.jspecify.annotations.NullMarked;
